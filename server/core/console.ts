/** Where the parts that run before there is a server say what they do. */
export interface Say {
  info(text: string): void
  warn(text: string): void
}

export const terminal: Say = { info: (text) => console.log(text), warn: (text) => console.warn(text) }
export const quiet: Say = { info: () => undefined, warn: () => undefined }
