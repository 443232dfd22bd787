# One image for every process: the API by default, a worker with `node dist/workers/NAME.js`, `node dist/src/cli/setup.js`
# once before the first start.
FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
# npm keeps the compiler, an optional peer of libraries that run without it.
RUN npm run build && npm prune --omit=dev && rm -r node_modules/typescript node_modules/@typescript

FROM node:24-slim
WORKDIR /app
# Inside a container these are the useful defaults: reachable from the others, with metrics and health in each process.
ENV NODE_ENV=production HOST=0.0.0.0 METRICS_PORT=9464
# No process needs more at any size; without these V8 lets garbage pile up first.
ENV NODE_OPTIONS="--max-semi-space-size=16 --max-old-space-size=192"
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A volume takes its owner from here.
ENV FILES_DIR=/data/files
RUN mkdir -p /data/files && chown node:node /data/files
USER node
EXPOSE 3000 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.METRICS_PORT + '/health/ready').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not through npm: signals reach the process itself.
CMD ["node", "dist/src/server.js"]
