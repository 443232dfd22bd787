import { killChannels } from './kill-channels.ts';

// Jobs of a killed worker are taken over after some 10 s: the long form kills again and again.
killChannels({ count: 100, kills: 1 });
