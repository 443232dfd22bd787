import { providerFaults } from '../providers.ts';

providerFaults({ mail: 'all', sms: 'all' });
