/// The positions in the image of the tensor's pixels.
///
/// If the rotation of the region is a multiple of 90°, two tables suffice: every tensor column has one position on one
/// axis of the image, and every tensor row has one position on the other axis. Otherwise, positions are computed per
/// pixel.
struct SamplingPlan: Sendable {
  /// Two adjacent pixels along one axis of the image, with their weights in units of 1/32.
  struct Tap: Sendable, Hashable {
    /// The byte offset from the first pixel of the image, clamped to the image.
    var offset0 = 0
    var offset1 = 0
    /// The weight in each of four lanes; 0 if the pixel is outside the image and the border is black.
    var lanes0: UInt64 = 0
    var lanes1: UInt64 = 0

    var weight0: Int32 {
      @inline(__always) get { Int32(truncatingIfNeeded: lanes0 & 0xFFFF) }
    }
    var weight1: Int32 {
      @inline(__always) get { Int32(truncatingIfNeeded: lanes1 & 0xFFFF) }
    }
  }

  let tensorWidth: Int
  let tensorHeight: Int
  private(set) var columns: [Tap]
  private(set) var rows: [Tap]
  /// Whether the tables are valid; otherwise, `matrix` must be evaluated for every pixel.
  private(set) var isSeparable = false
  private(set) var matrix = WarpMatrix.identity
  private(set) var source = SourceGeometry()
  /// The largest offset in `columns`.
  private(set) var farthestColumnOffset = 0

  init(tensorWidth: Int, tensorHeight: Int) {
    self.tensorWidth = tensorWidth
    self.tensorHeight = tensorHeight
    columns = [Tap](repeating: Tap(), count: tensorWidth)
    rows = [Tap](repeating: Tap(), count: tensorHeight)
  }

  mutating func update(
    region: PixelRegion, layout: PixelLayout, mirrorsSource: Bool, border: ImageToTensor.Border
  ) throws(ImageError) {
    matrix = try WarpMatrix(region: region, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    source = SourceGeometry(layout, mirrored: mirrorsSource, border: border)
    isSeparable = fillTables()
    farthestColumnOffset = columns.reduce(Int.min) { max($0, $1.offset0, $1.offset1) }
  }

  /// Computes both tables. Returns false if they can't be exact.
  private mutating func fillTables() -> Bool {
    let path = WarpPath(matrix, tensorWidth: tensorWidth, tensorHeight: tensorHeight)
    if path.horizontalDependsOnlyOnColumn {
      for column in 0..<tensorWidth {
        guard let position = path.settledHorizontal(column: column, row: 0) else { return false }
        columns[column] = source.horizontalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = path.settledVertical(column: 0, row: row) else { return false }
        rows[row] = source.verticalTap(position)
      }
      return true
    }
    if path.horizontalDependsOnlyOnRow {
      for column in 0..<tensorWidth {
        guard let position = path.settledVertical(column: column, row: 0) else { return false }
        columns[column] = source.verticalTap(position)
      }
      for row in 0..<tensorHeight {
        guard let position = path.settledHorizontal(column: 0, row: row) else { return false }
        rows[row] = source.horizontalTap(position)
      }
      return true
    }
    return false
  }
}

/// The addressing of the image's pixels, and the values outside the image.
struct SourceGeometry: Sendable, Hashable {
  var width = 1
  var height = 1
  /// The byte offset of the leftmost pixel in the top row, or of the rightmost pixel if the image is mirrored.
  var origin = 0
  /// The byte offset to the next pixel on the right; negative if the image is mirrored.
  var columnStride = 1
  var rowStride = 1
  var zeroBorder = false

  init() {}

  init(_ layout: PixelLayout, mirrored: Bool, border: ImageToTensor.Border) {
    let step = layout.pixelFormat.bytesPerPixel
    width = layout.width
    height = layout.height
    origin = mirrored ? (layout.width - 1) * step : 0
    columnStride = mirrored ? -step : step
    rowStride = layout.bytesPerRow
    zeroBorder = border == .zero
  }

  /// Returns the tap of a horizontal position.
  ///
  /// - Parameter position: The position in units of 1/32 pixel.
  func horizontalTap(_ position: Int32) -> SamplingPlan.Tap {
    tap(position, count: width, stride: columnStride)
  }

  func verticalTap(_ position: Int32) -> SamplingPlan.Tap {
    tap(position, count: height, stride: rowStride)
  }

  @inline(__always)
  private func tap(_ position: Int32, count: Int, stride: Int) -> SamplingPlan.Tap {
    let first = Int(position >> 5)
    let fraction = position & 31
    let last = count - 1
    var tap = SamplingPlan.Tap(
      offset0: min(max(first, 0), last) * stride, offset1: min(max(first + 1, 0), last) * stride,
      lanes0: PixelPair.lanes(32 - fraction), lanes1: PixelPair.lanes(fraction))
    if zeroBorder {
      if first < 0 || first > last { tap.lanes0 = 0 }
      if first + 1 < 0 || first + 1 > last { tap.lanes1 = 0 }
    }
    return tap
  }
}

/// Four adjacent pixels and their weights. The weights sum to 1024, or less if some pixels are outside an image with a
/// black border.
struct FourTaps {
  private let p00: UnsafeRawPointer
  private let p01: UnsafeRawPointer
  private let p10: UnsafeRawPointer
  private let p11: UnsafeRawPointer
  private let w00: Int32
  private let w01: Int32
  private let w10: Int32
  private let w11: Int32

  /// Creates the pixels at the intersection of two taps on different axes of the image.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ a: SamplingPlan.Tap, _ b: SamplingPlan.Tap) {
    p00 = origin + (a.offset0 &+ b.offset0)
    p01 = origin + (a.offset1 &+ b.offset0)
    p10 = origin + (a.offset0 &+ b.offset1)
    p11 = origin + (a.offset1 &+ b.offset1)
    let (a0, a1, b0, b1) = (a.weight0, a.weight1, b.weight0, b.weight1)
    w00 = a0 &* b0
    w01 = a1 &* b0
    w10 = a0 &* b1
    w11 = a1 &* b1
  }

  /// Creates the taps of four pixels that are known to be inside the image.
  @inline(__always)
  private init(_ first: UnsafeRawPointer, _ source: SourceGeometry, fractionX: Int32, fractionY: Int32) {
    p00 = first
    p01 = first + source.columnStride
    p10 = first + source.rowStride
    p11 = p10 + source.columnStride
    w00 = (32 &- fractionX) &* (32 &- fractionY)
    w01 = fractionX &* (32 &- fractionY)
    w10 = (32 &- fractionX) &* fractionY
    w11 = fractionX &* fractionY
  }

  /// Creates the pixels around a position in units of 1/32 pixel.
  @inline(__always)
  init(_ origin: UnsafeRawPointer, _ source: SourceGeometry, _ x: Int32, _ y: Int32) {
    let column = Int(x >> 5)
    let row = Int(y >> 5)
    // One comparison each: a negative number is a huge unsigned number.
    if UInt(bitPattern: column) < UInt(bitPattern: source.width &- 1),
      UInt(bitPattern: row) < UInt(bitPattern: source.height &- 1)
    {
      let first = origin + (column &* source.columnStride &+ row &* source.rowStride)
      self.init(first, source, fractionX: x & 31, fractionY: y & 31)
    } else {
      self.init(origin, source.horizontalTap(x), source.verticalTap(y))
    }
  }

  /// Returns one channel of the blend, rounded to a byte.
  @inline(__always)
  func byte(_ channel: Int) -> UInt8 {
    let top = value(p00, channel) &* w00 &+ value(p01, channel) &* w01
    let bottom = value(p10, channel) &* w10 &+ value(p11, channel) &* w11
    return UInt8(truncatingIfNeeded: (top &+ bottom &+ 512) >> 10)
  }

  @inline(__always)
  private func value(_ pixel: UnsafeRawPointer, _ channel: Int) -> Int32 {
    Int32(pixel.load(fromByteOffset: channel, as: UInt8.self))
  }
}
