import { killChannels } from './kill-channels.ts';

// Two, since a third end of a process with the same message brings it into quarantine (the long form has more).
killChannels({ count: 120, kills: 2 });
