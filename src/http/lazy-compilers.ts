import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';

type Compile<Route, Compiled> = (route: Route) => Compiled;

/**
 * Compiles each of Fastify's serializers when its route first answers: compiling all of them takes a quarter of the
 * API's start-up time. A test calls every documented route, so a schema that does not compile is found before a release.
 */
export const lazySerializers: ReturnType<typeof SerializerSelector> = (...options) =>
  compileLazily(SerializerSelector()(...options));

/** Wraps a compiler so that it compiles a route at the first request and then reuses the result. */
export const compileLazily =
  <Route, In extends unknown[], Out>(
    compile: Compile<Route, (...input: In) => Out>,
  ): Compile<Route, (...input: In) => Out> =>
  (route) => {
    let compiled: ((...input: In) => Out) | undefined;
    return (...input) => {
      compiled ??= compile(route);
      return compiled(...input);
    };
  };
