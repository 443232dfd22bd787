/** An event at 02:30 of the day on which clocks in Prague skip from 02:00 to 03:00, as the API answers it. */
export const SKIPPED_TIME = {
  timezone: 'Europe/Prague',
  start_date: '2027-03-28',
  end_date: '2027-03-28',
  start_time: '02:30',
  end_time: '03:30',
  starts_at: '2027-03-28T01:30:00.000Z',
  ends_at: '2027-03-28T02:30:00.000Z',
};
