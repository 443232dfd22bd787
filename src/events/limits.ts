/** Limits of texts in characters and of lists in items. The options route sends them to forms. */
export const LIMITS = {
  title: 200,
  description: 5000,
  notes: 1000,
  question: 300,
  answer: 500,
  reason: 1000,
  message_subject: 150,
  message_body: 5000,
  search: 100,
  cancelled_at_once: 500,
  family: 20,
  templates: 100,
} as const;
