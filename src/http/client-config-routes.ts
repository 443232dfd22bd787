import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { addOpenRoute } from './auth/open-route.ts';
import type { SignIn } from './client-files.ts';
import { nullable } from './schemas/fields.ts';

/** Serves the settings that the browser client needs before the user signs in. */
export const clientConfigRoutes = (signIn: SignIn | null) => (app: FastifyInstance) =>
  addOpenRoute(app, {
    url: '/client-config',
    open: 'the client needs the address of the sign-in page before it has a token',
    name: 'getClientConfig',
    tag: 'public',
    summary: 'Read the sign-in settings of the browser client',
    params: Type.Object({}),
    answers: {
      200: Type.Object(
        {
          sign_in: nullable(
            Type.Object(
              { issuer: Type.String(), client_id: Type.String(), scope: Type.String() },
              {
                description: 'The OpenID Connect provider. Null if none is set.',
              },
            ),
          ),
        },
        { description: 'The settings' },
      ),
    },
    handle: async () => ({
      status: 200,
      body: { sign_in: signIn && { issuer: signIn.issuer, client_id: signIn.clientId, scope: signIn.scope } },
    }),
  });
