/** Where an S3-compatible store keeps our files. */
export interface BucketPlace {
  /** The address of the bucket, as `https://host/bucket`. */
  bucketUrl: string
  region: string
  /** Before every name, with its slash; empty for the whole bucket. */
  prefix: string
}

const example = 's3://bucket/prefix?endpoint=https://host&region=us-east-1'
/** Why an address names no store, as the rest of a sentence that begins with the setting's name. */
export const filesUrlRule = `must be an address such as ${example}`

const known = new Set(['endpoint', 'region'])

/** Null when the address names no store: another protocol, no bucket, no endpoint or region, or a stray option. */
export function readFilesUrl(text: string): BucketPlace | null {
  const url = URL.parse(text)
  if (url?.protocol !== 's3:' || url.username || url.password || url.port || url.hash) return null
  const bucket = url.hostname
  const { endpoint, region } = Object.fromEntries(url.searchParams)
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket)) return null
  if ([...url.searchParams.keys()].some((key) => !known.has(key))) return null
  if (region !== undefined && !/^[a-z0-9-]{1,40}$/.test(region)) return null
  const prefix = url.pathname.replaceAll(/^\/+|\/+$/g, '')
  if (!/^[\w./-]*$/.test(prefix)) return null
  if (endpoint === undefined && region === undefined) return null
  const host = URL.parse(endpoint ?? `https://s3.${region}.amazonaws.com`)
  if (!host || !['http:', 'https:'].includes(host.protocol) || host.search || host.hash) return null
  return {
    bucketUrl: `${host.href.replace(/\/+$/, '')}/${bucket}`,
    region: region ?? 'auto',
    prefix: prefix === '' ? '' : `${prefix}/`,
  }
}
