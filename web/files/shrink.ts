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
  return withPicture(file, file, async (picture) => {
    if (Math.max(picture.width, picture.height) <= longestSide) return file
    const drawn = await drawnWithin(picture, longestSide)
    return drawn && drawn.size < file.size ? drawn : file
  })
}

/** Sides that are tried one after another until a picture is small enough. */
const smallerSides = [longestSide, 1600, 1280, 1024, 768, 512]

/** A picture of at most so many bytes; null where it is none that can be read here. */
export const shrunkTo = (file: File, maxBytes: number): Promise<Blob | null> =>
  withPicture(file, null, async (picture) => {
    if (isPictureType(file.type) && file.size <= maxBytes && Math.max(picture.width, picture.height) <= longestSide)
      return file
    for (const side of smallerSides) {
      const drawn = await drawnWithin(picture, side)
      if (drawn && drawn.size <= maxBytes) return drawn
    }
    return null
  })

async function withPicture<T>(file: File, otherwise: T, work: (picture: ImageBitmap) => Promise<T>): Promise<T> {
  const picture = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => null)
  if (!picture) return otherwise
  try {
    return await work(picture)
  } finally {
    picture.close()
  }
}

function drawnWithin(picture: ImageBitmap, side: number): Promise<Blob | null> {
  const scale = Math.min(1, side / Math.max(picture.width, picture.height))
  const [width, height] = [Math.round(picture.width * scale), Math.round(picture.height * scale)]
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
