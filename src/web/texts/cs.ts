import calendar from './cs/calendar.json';
import editor from './cs/editor.json';
import event from './cs/event.json';
import inbox from './cs/inbox.json';
import ops from './cs/ops.json';
import registrations from './cs/registrations.json';
import settings from './cs/settings.json';
import shell from './cs/shell.json';
import statistics from './cs/statistics.json';
import words from './cs/words.json';

export default {
  ...shell,
  ...words,
  ...calendar,
  ...event,
  ...editor,
  ...registrations,
  ...statistics,
  ...inbox,
  ...settings,
  ...ops,
};
