/** As the server takes it: at most 512 x 512 dots and 64 KiB. */
const side = 512
const maxBytes = 64 * 1024
const qualities = [0.9, 0.8, 0.7, 0.55, 0.4]
const sizes = [side, 384, 256, 128]

const load = (file: File) =>
  new Promise<HTMLImageElement>((done, fail) => {
    const address = URL.createObjectURL(file)
    const image = new Image()
    const end = (act: () => void) => () => {
      URL.revokeObjectURL(address)
      act()
    }
    image.onload = end(() => done(image))
    image.onerror = end(() => fail(new Error('unreadable')))
    image.src = address
  })

const bytesOf = (base64: string) => Math.floor((base64.length * 3) / 4)

/** Cuts the middle out of a picture, makes it small enough, and gives it as base64; null when it is no picture. */
export async function squarePicture(file: File): Promise<string | null> {
  const image = await load(file).catch(() => null)
  if (!image || image.naturalWidth === 0) return null
  const cut = Math.min(image.naturalWidth, image.naturalHeight)
  const canvas = document.createElement('canvas')
  const pen = canvas.getContext('2d')
  if (!pen) return null
  for (const size of sizes) {
    canvas.width = canvas.height = Math.min(size, Math.max(64, cut))
    // What is transparent would turn black in a JPEG.
    pen.fillStyle = '#fff'
    pen.fillRect(0, 0, canvas.width, canvas.height)
    pen.drawImage(
      image,
      (image.naturalWidth - cut) / 2,
      (image.naturalHeight - cut) / 2,
      cut,
      cut,
      0,
      0,
      canvas.width,
      canvas.height,
    )
    for (const quality of qualities) {
      const base64 = canvas.toDataURL('image/jpeg', quality).split(',')[1] ?? ''
      if (base64 && bytesOf(base64) <= maxBytes) return base64
    }
  }
  return null
}
