# Intake as an image: the service with the app, on an SQLite file in /data or on PostgreSQL (compose.yaml).
# docs/hosting.md says what of this was tried and how. No Docker engine has run this file yet.

FROM node:24-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build:app && npm run build:node

FROM node:24-slim AS packages
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
WORKDIR /app
COPY --from=packages /build/node_modules ./node_modules
COPY --from=build /build/package.json ./
COPY --from=build /build/dist ./dist
COPY --from=build /build/core/dictionary/*.json ./core/dictionary/
# The service writes to /data and, for large sorts, to /tmp. Everything else can be read-only.
RUN install -d -o node -g node -m 700 /data
VOLUME /data
USER node
EXPOSE 8080
# The image has no curl.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell in between, so node itself gets SIGTERM. It then has 30 s to finish: docker stop --time 40.
ENTRYPOINT ["node", "dist/node/intake.js"]
CMD ["start"]
