import { providerFaults } from './providers.ts';

// One of each kind; the long form has them all.
providerFaults({
  mail: ['drops at DATA', 'says 450 to RCPT', 'drops after the text'],
  sms: ['takes it and answers 500', 'drops'],
});
