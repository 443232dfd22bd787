import calendar from './en/calendar.json';
import editor from './en/editor.json';
import event from './en/event.json';
import inbox from './en/inbox.json';
import ops from './en/ops.json';
import registrations from './en/registrations.json';
import school from './en/school.json';
import settings from './en/settings.json';
import shell from './en/shell.json';
import statistics from './en/statistics.json';
import words from './en/words.json';

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
  ...school,
};
