import webpush from 'web-push';
import { type PushStandIn, startPushStandIn } from './push-stand-in.ts';
import { type SignInStandIn, startSignInStandIn } from './sign-in-stand-in.ts';
import { type SmtpStandIn, startSmtpStandIn } from './smtp-stand-in.ts';
import { startTwilioStandIn, type TwilioStandIn } from './twilio-stand-in.ts';

/** A stand-in for every provider, and the settings that lead to them. */
export type StandIns = {
  readonly smtp: SmtpStandIn;
  readonly twilio: TwilioStandIn;
  readonly push: PushStandIn;
  readonly signIn: SignInStandIn;
  readonly vapidPublicKey: string;
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

/** @param recordTo one file for everything they accept */
export async function startStandIns(recordTo: string | undefined): Promise<StandIns> {
  const record = recordTo ? { recordTo } : {};
  const [smtp, twilio, push, signIn] = await Promise.all([
    startSmtpStandIn(record),
    startTwilioStandIn(record),
    startPushStandIn(record),
    startSignInStandIn(),
  ]);
  const vapid = webpush.generateVAPIDKeys();
  return {
    smtp,
    twilio,
    push,
    signIn,
    vapidPublicKey: vapid.publicKey,
    env: {
      OIDC_ISSUER: signIn.url,
      OIDC_CLIENT_ID: signIn.clientId,
      SMTP_URL: smtp.url,
      MAIL_FROM: 'events@school.example',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: '+15005550006',
      TWILIO_API_URL: twilio.url,
      VAPID_PUBLIC_KEY: vapid.publicKey,
      VAPID_PRIVATE_KEY: vapid.privateKey,
      VAPID_SUBJECT: 'mailto:events@school.example',
      PUSH_ALLOWED_HOSTS: push.url,
    },
    async stop() {
      await Promise.all([smtp.stop(), twilio.stop(), push.stop(), signIn.stop()]);
    },
  };
}
