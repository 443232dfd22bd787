import { Type } from 'typebox';
import { parseClaimMapping } from '../../http/auth/claim-mapping.ts';
import { group, offUnless, optional, text, url } from './schema.ts';
import * as rules from './setting-rules.ts';

const tokenKey = Type.Decode(
  group(
    {
      secret: optional(
        text('JWT_SECRET', 'verifies tokens signed with HS256', rules.SECRET, { unset: 'needed, or `JWT_JWKS_URL`' }),
      ),
      jwksUrl: optional(
        text('JWT_JWKS_URL', 'keys of the identity provider (EdDSA, ES256, RS256)', rules.SAFE_URL, {
          unset: 'needed, or `JWT_SECRET`',
        }),
      ),
    },
    ['JWT_SECRET', 'and JWT_JWKS_URL exclude each other', ({ secret, jwksUrl }) => secret === null || jwksUrl === null],
    ['JWT_SECRET', 'or JWT_JWKS_URL is needed', ({ secret, jwksUrl }) => secret !== null || jwksUrl !== null],
  ),
  ({ secret, jwksUrl }) => (jwksUrl === null ? { secret: secret ?? '' } : { jwksUrl }),
);

/** The tokens that the API takes. */
export const jwt = Type.Object({
  key: tokenKey,
  issuer: text('JWT_ISSUER', '`iss` of tokens; for the API', rules.ONE_LINE),
  audience: text('JWT_AUDIENCE', '`aud` of tokens; for the API', rules.ONE_LINE),
  claims: Type.Decode(
    text('JWT_CLAIMS', 'where tokens have tenant, school, person, roles and permissions', rules.CLAIM_MAPPING, {
      default: '{}',
      unset: 'the claims of Schoolbell',
    }),
    parseClaimMapping,
  ),
});

/** Where people sign in with a browser. */
export const signIn = offUnless(
  ['OIDC_ISSUER', 'OIDC_CLIENT_ID'],
  Type.Object({
    issuer: url(
      'OIDC_ISSUER',
      'OpenID provider at which people sign in with a browser (code flow with PKCE, redirect to ' +
        '`PUBLIC_URL/sign-in/back`); its access tokens are the ones above',
      rules.SAFE_URL,
      { unset: 'the browser client offers no sign-in' },
    ),
    clientId: text('OIDC_CLIENT_ID', 'the client registered there', rules.ONE_LINE, { unset: 'no sign-in' }),
    scope: text(
      'OIDC_SCOPE',
      'scope that is asked for there; for refresh tokens, which renew a session, some providers want `openid offline_access`',
      rules.ONE_LINE,
      { default: 'openid' },
    ),
    params: optional(
      text('OIDC_PARAMS', 'more parameters of the sign-in request, such as `audience=…` (Auth0)', rules.QUERY, {
        unset: 'none',
      }),
    ),
    token: Type.Decode(
      text('OIDC_TOKEN', 'the token of the provider that the client sends to this service', rules.TOKEN_KIND, {
        default: 'access_token',
      }),
      (kind) => kind as 'access_token' | 'id_token',
    ),
    clientSecret: optional(
      text(
        'OIDC_CLIENT_SECRET',
        'secret of the client, for providers that ask for one also with PKCE (Google): the API then exchanges the codes',
        rules.ONE_LINE,
        { unset: 'a public client' },
      ),
    ),
  }),
);
