# bub in a container: the programs and SHA256SUMS of a release (or of `deno task compile`) in dist/.
#
#   docker build -t bub .
#
# The default base has no shell, so the tool bash cannot run in it. With a shell:
#
#   docker build -t bub --build-arg BASE=debian:stable-slim .

ARG BASE=gcr.io/distroless/cc-debian12:nonroot

FROM debian:stable-slim AS program
ARG TARGETARCH
COPY dist/ /dist/
RUN set -eu; \
    case "$TARGETARCH" in \
      amd64) name=bub-x86_64-unknown-linux-gnu ;; \
      arm64) name=bub-aarch64-unknown-linux-gnu ;; \
      *) echo "there is no bub for $TARGETARCH" >&2; exit 1 ;; \
    esac; \
    cd /dist; \
    grep "  $name\$" SHA256SUMS >sum; \
    sha256sum --check --strict sum; \
    install -D -m 755 "$name" /image/usr/local/bin/bub; \
    mkdir -p /image/home /image/work

FROM ${BASE}
COPY --from=program /image/usr/ /usr/
COPY --from=program --chown=65532:65532 /image/home/ /home/nonroot/
COPY --from=program --chown=65532:65532 /image/work/ /work/
USER 65532:65532
ENV HOME=/home/nonroot
WORKDIR /work
ENTRYPOINT ["/usr/local/bin/bub"]
CMD ["--help"]
