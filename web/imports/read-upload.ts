/** A file as the API takes it. */
export interface Upload {
  fileName: string
  base64: string
}

/** Reads a file that somebody chose. */
export const readUpload = (file: File): Promise<Upload> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('error', () => reject(reader.error ?? new Error('the file could not be read')))
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : ''
      resolve({ fileName: file.name.slice(0, 200), base64: address.slice(address.indexOf(',') + 1) })
    })
    reader.readAsDataURL(file)
  })
