import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Of<Route, Made> = (route: Route) => Made;

/**
 * Fastify's own serializers, each compiled when its route first answers: to compile them all is a quarter of the API's
 * start. Whether every schema compiles is known before: a test calls every documented route.
 */
export const serializersAtFirstUse: ReturnType<typeof SerializerSelector> = (...given) =>
  atFirstUse(SerializerSelector()(...given));

/** What a compiler makes of a route, made when it is first called. */
export const atFirstUse =
  <Route, In extends unknown[], Out>(compile: Of<Route, (...input: In) => Out>): Of<Route, (...input: In) => Out> =>
  (route) => {
    let made: ((...input: In) => Out) | undefined;
    return (...input) => {
      made ??= compile(route);
      return made(...input);
    };
  };
