import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { SignIn } from '../deps.ts';
import { FORM, readFormsOnly } from '../hooks.ts';
import type { Routes } from '../route.ts';
import { described, nullable, stringOrNull } from '../schemas/fields.ts';

/** Where the browser client exchanges its codes if the provider asks for a secret. */
const EXCHANGE_PATH = '/sign-in/token';

const FIELDS = ['grant_type', 'code', 'redirect_uri', 'code_verifier', 'refresh_token'];

/** Serves the settings that the browser client needs before the user signs in. */
export const clientConfigRoutes = (routes: Routes, signIn: SignIn | null) =>
  routes.get('/client-config', {
    access: { open: 'the client needs the address of the sign-in page before it has a token' },
    name: 'getClientConfig',
    summary: 'Read the sign-in settings of the browser client',
    responses: {
      200: described('The settings', {
        sign_in: nullable(
          described('The OpenID Connect provider. Null if none is set.', {
            issuer: Type.String({ description: 'The address of the OpenID provider.' }),
            client_id: Type.String({ description: 'The client id of the browser client at the OpenID provider.' }),
            scope: Type.String({ description: 'The OpenID scopes to ask for.' }),
            params: Type.Record(Type.String(), Type.String(), {
              description: 'More parameters of the sign-in request',
            }),
            token: Type.Union([Type.Literal('access_token'), Type.Literal('id_token')], {
              description: 'The token of the provider that this service takes',
            }),
            token_path: stringOrNull('Where to exchange codes here. Null: at the provider'),
          }),
        ),
      }),
    },
    result: async () => ({
      sign_in: signIn && {
        issuer: signIn.issuer,
        client_id: signIn.clientId,
        scope: signIn.scope,
        params: Object.fromEntries(new URLSearchParams(signIn.params ?? '')),
        token: signIn.token,
        token_path: signIn.exchange && EXCHANGE_PATH,
      },
    }),
  });

/**
 * Exchanges codes and refresh tokens for the browser client at a provider that asks for a secret, which the browser must not
 * have. PKCE proves that the code is the browser's own.
 */
export function tokenExchange(app: FastifyInstance, exchange: NonNullable<SignIn['exchange']>): void {
  app.register(async (routes) => {
    readFormsOnly(routes);
    const config = { open: 'the code proves who asks, and the client has no token yet' };
    const options = { config, schema: { hide: true, consumes: [FORM] }, bodyLimit: 16 * 1024 };
    routes.post(EXCHANGE_PATH, options, async (request: FastifyRequest<{ Body?: URLSearchParams }>, reply) => {
      const fields = [...(request.body ?? [])].filter(([name]) => FIELDS.includes(name));
      const { status, body } = await exchange(new URLSearchParams(fields));
      return reply.code(status).type('application/json').send(body);
    });
  });
}
