/** The fields of an event that decide who is notified of what. */
export type EventAnswer = {
  id: string;
  title: string;
  status: string;
  visibility: string;
  target_audience: readonly string[];
  class_id: string | null;
  grade_level_ids: readonly string[];
  starts_at: string;
  timezone: string;
  all_day: boolean;
  send_notifications: boolean;
  reminders: readonly { type: Channel; offset: number }[];
};

export type Channel = 'email' | 'sms' | 'push' | 'in_app';
export const CHANNELS: readonly Channel[] = ['email', 'sms', 'push', 'in_app'];

/** An action that the API acknowledged. `at`: when the request was sent, in ms; its messages can't arrive earlier. */
export type Entry =
  | { kind: 'published' | 'postponed' | 'cancelled'; at: number; event: EventAnswer }
  | { kind: 'registered'; at: number; event_id: string; id: string; user_id: string; status: string }
  | { kind: 'left'; at: number; event_id: string; id: string };
