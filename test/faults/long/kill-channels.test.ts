import { killChannels } from '../kill-channels.ts';

killChannels({ count: Number(process.env.PEOPLE ?? 5_000), kills: Number(process.env.KILLS ?? 6) });
