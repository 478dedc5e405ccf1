import { isPictureType } from '../../contract/files.ts'

/** The longer side of a picture that is sent, in pixels: more than any screen or page shows. */
const longestSide = 2048
const quality = 0.82

/**
 * A picture over 2,048 pixels, drawn again at that size; the file as it is where it is no picture, is small enough,
 * would not become smaller, or cannot be read here.
 */
export async function shrunk(file: File): Promise<Blob> {
  if (!isPictureType(file.type)) return file
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!picture) return file
  try {
    const scale = longestSide / Math.max(picture.width, picture.height)
    if (scale >= 1) return file
    const drawn = await drawnAt(picture, Math.round(picture.width * scale), Math.round(picture.height * scale))
    return drawn && drawn.size < file.size ? drawn : file
  } finally {
    picture.close()
  }
}

function drawnAt(picture: ImageBitmap, width: number, height: number): Promise<Blob | null> {
  const canvas = Object.assign(document.createElement('canvas'), { width, height })
  const pen = canvas.getContext('2d')
  if (!pen) return Promise.resolve(null)
  pen.imageSmoothingQuality = 'high'
  // What can be seen through is white, as on paper.
  pen.fillStyle = '#fff'
  pen.fillRect(0, 0, width, height)
  pen.drawImage(picture, 0, 0, width, height)
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}
