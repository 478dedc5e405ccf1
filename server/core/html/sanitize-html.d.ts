/** What is used of a package that comes without types. */
declare module 'sanitize-html' {
  type Attributes = Record<string, string>
  export interface SanitizeOptions {
    allowedTags: readonly string[]
    allowedAttributes: Readonly<Record<string, readonly string[]>>
    selfClosing: readonly string[]
    nonTextTags: readonly string[]
    allowedSchemes: readonly string[]
    allowProtocolRelative: boolean
    disallowedTagsMode: 'discard'
    enforceHtmlBoundary: boolean
    nestingLimit: number
    transformTags: Readonly<
      Record<string, (tagName: string, attribs: Attributes) => { tagName: string; attribs: Attributes }>
    >
  }
  export default function sanitizeHtml(html: string, options: SanitizeOptions): string
}
