/// The conversion of the sampled bytes of one tensor row to elements, which repeats gray and adds opaque alpha if needed.
///
/// The bytes are at the end of the row's own memory and are read front to back, each before an element overwrites it.
struct RowExpansion {
  let bytes: UnsafeRawPointer
  /// The bytes per pixel: 1, 3, or 4.
  let sampledBytes: Int
  /// The elements per pixel: 1, 3, or 4.
  let channels: Int
  /// The number of pixels.
  let width: Int
  let target: UnsafeMutableRawPointer

  /// Looks up the elements in a table of 256 for each channel.
  @inline(__always)
  func run<Element: BitwiseCopyable>(_ table: UnsafePointer<Element>) {
    let elements = target.assumingMemoryBound(to: Element.self)
    var (from, to, pixel) = (bytes, elements, 0)
    if sampledBytes == 3 && channels == 3 {
      while pixel < width {
        let (red, green, blue) = (byte(from, 0), byte(from, 1), byte(from, 2))
        to[0] = table[red]
        to[1] = table[256 &+ green]
        to[2] = table[512 &+ blue]
        from += 3
        to += 3
        pixel &+= 1
      }
      return
    }
    while pixel < width {
      let first = byte(from, 0)
      let (second, third) = sampledBytes == 1 ? (first, first) : (byte(from, 1), byte(from, 2))
      let fourth = sampledBytes == 4 ? byte(from, 3) : 255
      to[0] = table[first]
      if channels >= 3 {
        to[1] = table[256 &+ second]
        to[2] = table[512 &+ third]
      }
      if channels == 4 { to[3] = table[768 &+ fourth] }
      from += sampledBytes
      to += channels
      pixel &+= 1
    }
  }

  @inline(__always)
  private func byte(_ pixel: UnsafeRawPointer, _ channel: Int) -> Int {
    Int(pixel.load(fromByteOffset: channel, as: UInt8.self))
  }
}
