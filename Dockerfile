# syntax=docker/dockerfile:1

FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN --mount=type=cache,target=/go/pkg/mod \
    go mod download
COPY . .
# /out/data gives the volume of the final image its owner.
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=cache,target=/root/.cache/go-build \
    CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /out/keyfirst . && mkdir /out/data

# No shell and no user but nonroot, so everything below is in exec form.
FROM gcr.io/distroless/static-debian12:nonroot AS final
COPY --from=build /out/keyfirst /keyfirst
COPY --from=build --chown=nonroot:nonroot /out/data /data
ENV KEYFIRST_ADDR=0.0.0.0:8080 \
    KEYFIRST_DATA=/data/keyfirst.db
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["/keyfirst", "healthcheck", "--url", "http://127.0.0.1:8080/healthz"]
ENTRYPOINT ["/keyfirst"]
CMD ["serve"]
