/** What can be wrong with the encryption of a server, in words. Libraries tell these by their texts alone. */
const problems: readonly (readonly [RegExp, string])[] = [
  [
    /self[- ]signed certificate|unable to (?:verify the first|get (?:local )?issuer) certificate|signature failure/i,
    'The certificate of this server isn’t signed by a known authority.',
  ],
  [
    /does not match certificate|cert(?:ificate)? does not contain/i,
    'The certificate of this server is for another name.',
  ],
  [/certificate has expired/i, 'The certificate of this server has expired.'],
  [/certificate is not yet valid/i, 'The certificate of this server isn’t valid yet.'],
  [
    /unsupported protocol|protocol version|no protocols available|insufficient security/i,
    'This server only offers encryption that is too old.',
  ],
  [
    /wrong version number|packet length too long|record layer failure|http request/i,
    'This server doesn’t offer TLS on this port. Choose STARTTLS or another port.',
  ],
  [/upgrading connection with STARTTLS|not support STARTTLS/i, 'This server doesn’t offer STARTTLS.'],
]

/** What the handshake failed at; null where it was something else, or the server said so itself. */
export function tlsProblem(cause: unknown): string | null {
  if (!(cause instanceof Error)) return null
  const isSaid = ('responseCode' in cause && cause.responseCode) || ('responseText' in cause && cause.responseText)
  const isOfTls = /STARTTLS/.test(cause.message)
  if (isSaid && !isOfTls) return null
  return problems.find(([shape]) => shape.test(cause.message))?.[1] ?? null
}
