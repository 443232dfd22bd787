import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { addOpenRoute } from './auth/open-route.ts';
import type { SignIn } from './client-files.ts';
import { nullable } from './schemas/fields.ts';

/** What the browser client has to know before anybody has signed in. */
export const clientConfigRoutes = (signIn: SignIn | null) => (app: FastifyInstance) =>
  addOpenRoute(app, {
    url: '/client-config',
    open: 'where to sign in is asked before signing in',
    name: 'getClientConfig',
    tag: 'public',
    summary: 'Where the browser client lets people sign in',
    params: Type.Object({}),
    answers: {
      200: Type.Object(
        {
          sign_in: nullable(
            Type.Object(
              { issuer: Type.String(), client_id: Type.String(), scope: Type.String() },
              {
                description: 'the OpenID provider; null where none is set',
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
