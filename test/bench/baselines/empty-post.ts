import Fastify from 'fastify';
import { tokenVerifier } from '../../../src/http/auth/authenticate.ts';
import { validatorCompiler } from '../../../src/http/validator.ts';
import { REGISTER } from '../../../src/registrations/input.ts';

/** A Fastify POST with the schema and the token of a registration, and no work: the baseline. */
const verify = tokenVerifier({
  secret: process.env.JWT_SECRET ?? '',
  issuer: process.env.JWT_ISSUER ?? '',
  audience: process.env.JWT_AUDIENCE ?? '',
});
const app = Fastify();
app.setValidatorCompiler(validatorCompiler);
app.post('/empty/:id', { schema: { body: REGISTER } }, async (request, reply) => {
  await verify((request.headers.authorization ?? '').slice(7));
  return reply.code(201).send({ id: 'x' });
});
process.send?.({ url: await app.listen({ host: '127.0.0.1', port: 0 }) });
