import SwiftletKernels

/// The pieces in which kernels compute a depthwise convolution, and the copies of input lines that they read.
///
/// Most kernels have a channel per lane and one filter per channel. A copy adapts other convolutions to them:
///
///     multiplier            every channel is repeated for its filters      a b → a a a b b b
///     few channels          the channels of `pixels` neighboring outputs are the channels of a block; a copied line has
///                           a plane per window column, with the element that each output reads
///                             image line    x0 x1 x2 x3 x4 …
///                             plane 0       x0 x1 x2 … | plane 1   x1 x2 x3 … | plane 2   x2 x3 x4 …
///
/// The kernels for bytes need no copies for most multipliers (`DepthwiseBytePlan`). For few channels, they need copies only
/// if sums are rescaled afterwards, which needs full rows, or if the windows at a stride are small.
///
/// Copies belong to a piece, a range of lines and columns of the output, so that they stay in the cache. Sums have the
/// same taps in the same order in every form. Elements outside the image are zeros in a plane.
struct DepthwisePieces: Sendable {
  enum Form: Sendable {
    /// Kernels read the image.
    case image
    /// Kernels read single lines of the image in blocks of several pixels. Windows are single pixels.
    case blocks
    /// Kernels read lines whose channels are repeated.
    case repeated
    /// Kernels read a plane per window column.
    case planes
  }

  /// A range of output lines and columns.
  struct Piece {
    let lines: Range<Int>
    let columns: Range<Int>
    /// The output rows of the kernel's geometry that it computes.
    let rows: Range<Int>
    let geometry: DepthwiseGeometry

    /// The number of results in a line, including unused ones at its end.
    var lineElements: Int { geometry.outputWidth &* geometry.outputPixelStride }
  }

  let window: WindowGeometry
  let form: Form
  private let multiplier: Int
  private let whole: DepthwiseGeometry
  /// Whether kernels read the image whatever the numbers of channels and filters.
  let readsImage: Bool
  private let elementBytes: Int
  /// The number of neighboring outputs whose channels form the kernels' channels.
  let pixels: Int
  /// The maximum numbers of output lines and columns in a piece.
  let lines: Int
  let columns: Int
  /// The number of output rows that kernels compute together.
  let rowsTogether: Int

  /// If windows are cropped, the first row and column in the filter, and the width of the filter.
  var crop: (row: Int, column: Int, width: Int)?

  private var outputChannels: Int { window.channels &* multiplier }
  /// The number of the kernels' channels.
  var channels: Int { pixels &* outputChannels }
  private var blocks: Int { (columns &+ pixels &- 1) / pixels }
  private var extent: (height: Int, width: Int) {
    (
      (window.height.windowSize &- 1) &* window.height.dilation &+ 1,
      (window.width.windowSize &- 1) &* window.width.dilation &+ 1
    )
  }

  /// The size of copies for which pieces are chosen, so that they stay in a core's own cache.
  private static let copiedBytes = 96 << 10
  /// The number of results in a piece, unless its lines are longer.
  private static let results = 16 << 10

  /// Chooses the pieces.
  ///
  /// - Parameters:
  ///   - lanes: The number of channels in a vector.
  ///   - readsImage: Whether the kernels take multipliers and few channels. Only windows of single pixels then form
  ///     blocks.
  ///   - fillsVectors: Whether the kernels fill vectors with several pixels of the image.
  ///   - interleaves: Returns whether the kernels interleave the rows of a geometry.
  ///   - canPad: Whether elements outside the image can be zeros.
  ///   - blocksPixels: Whether pixels with few channels can become blocks.
  init(
    _ window: WindowGeometry, multiplier: Int, _ geometry: DepthwiseGeometry, elementBytes: Int, lanes: Int,
    readsImage: Bool = false, fillsVectors: Bool = false, canPad: Bool = true, blocksPixels: Bool = true,
    interleaves: (DepthwiseGeometry) -> Bool = { _ in false }
  ) {
    self.window = window
    self.multiplier = multiplier
    self.elementBytes = elementBytes
    whole = geometry
    self.readsImage = readsImage
    let height = window.height, width = window.width, channels = window.channels * multiplier
    let isInPlace = multiplier == 1 && window.readsPixels && window.isInside
    let block =
      (canPad || width.isInside) && (isInPlace || (blocksPixels && !readsImage))
      ? Self.block(
        window, channels: channels, isInPlace: isInPlace, isByte: elementBytes == 1, lanes: lanes,
        fillsVectors: fillsVectors || (multiplier == 1 && interleaves(geometry)), interleaves: interleaves) : nil
    pixels = block?.pixels ?? 1
    if block != nil {
      form = isInPlace ? .blocks : .planes
    } else if multiplier > geometry.multiplier {
      let isSparse = width.stride > (width.windowSize - 1) * width.dilation
      form = isSparse && (canPad || width.isInside) ? .planes : .repeated
    } else {
      form = .image
    }
    let extent = (height.windowSize - 1) * height.dilation + 1
    // Kernels for floats compute at least two rows together.
    let together = max(elementBytes == 4 ? 2 : 1, DepthwiseKernels.rowsTogether(geometry))
    rowsTogether = readsImage ? DepthwiseWindow.rowsTogether : together
    if readsImage && form == .image {
      (lines, columns) = (height.outputSize, width.outputSize)
      return
    }
    guard form == .repeated || form == .planes else {
      let lines = Self.results / max(1, width.outputSize * channels) / together * together
      self.lines = form == .blocks && width.inputSize % pixels != 0 ? 1 : max(lines, together)
      columns = width.outputSize
      return
    }
    // Enough lines that their windows share most of the copied lines.
    let halo = max(0, extent - height.stride)
    var lines = min(height.outputSize, max(8, 2 * halo / height.stride))
    let copied = min(height.inputSize, (lines - 1) * height.stride + extent)
    let columnBytes = (form == .planes ? width.windowSize : width.stride) * channels * elementBytes
    // Kernels for floats compute four blocks at a time.
    let few = elementBytes == 1 ? pixels : 8 * pixels
    let most = min(max(few, Self.copiedBytes / (copied * columnBytes)), block?.columns ?? .max)
    // Pieces of the same width, in whole blocks.
    let count = (width.outputSize + most - 1) / most
    columns = ((width.outputSize + count - 1) / count + pixels - 1) / pixels * pixels
    let fitting = Self.copiedBytes / (columns * columnBytes * height.stride)
    lines = max(lines, min(height.outputSize, Self.results / (columns * channels), fitting))
    self.lines = (lines + together - 1) / together * together
  }

  /// Returns the number of pixels in a block, and the maximum number of columns in a piece, or `nil` if blocks of
  /// several pixels aren't faster.
  private static func block(
    _ window: WindowGeometry, channels: Int, isInPlace: Bool, isByte: Bool, lanes: Int, fillsVectors: Bool,
    interleaves: (DepthwiseGeometry) -> Bool
  ) -> (pixels: Int, columns: Int)? {
    let height = window.height, width = window.width
    // Approximate times in vector operations. A dot product of bytes covers four rows. Parts of vectors take
    // longer, except the last floats of several vectors.
    let groups = isByte ? (height.windowSize + 3) / 4 : height.windowSize
    let taps = Double(groups * width.windowSize) + 2
    func vectors(_ count: Int) -> Double {
      let (whole, rest) = count.quotientAndRemainder(dividingBy: lanes)
      return Double(whole) + (rest == 0 ? 0 : isByte ? 1.2 : whole == 0 ? 1.5 : 1)
    }
    let plain =
      fillsVectors
      ? Double(width.outputSize * channels) / Double(lanes) * taps
      : Double(width.outputSize) * vectors(channels) * (taps + (isByte ? Double(3 * groups * min(width.stride, 8)) : 0))
    var best: (pixels: Int, columns: Int)?
    var least = plain * (isByte ? 0.85 : 0.4)
    guard channels < 4 * lanes, !(fillsVectors && isByte) else { return nil }
    for pixels in 2...max(2, 32 * lanes / channels) where pixels <= width.outputSize {
      let count = pixels * channels
      let blocks = (width.outputSize + pixels - 1) / pixels
      var perBlock = vectors(count) * (taps + (isByte ? Double(3 * groups * width.windowSize) : 0))
      var limit = isByte ? 128 : 1 << 20
      if interleaves(planar(window, channels: count, blocks: min(blocks, 16), lines: 1)) {
        limit = width.windowSize == 1 ? 1 << 20 : 16
        let chunks = (count + 4 * lanes - 1) / (4 * lanes)
        perBlock = Double(4 * chunks) * (taps + Double(3 * groups * width.windowSize)) * 0.5
      }
      if !isInPlace {
        let copied = Double(width.windowSize * min(height.stride, height.windowSize))
        perBlock += copied * Double(count) / Double(lanes) * (isByte ? 0.5 : 1)
        if width.stride > 1 { perBlock += copied * Double(pixels) }
        // Copies of bytes are a large part of the time of their kernels.
        if isByte { perBlock *= 1.6 }
      }
      // Kernels for floats share weights between four blocks.
      if !isByte && blocks < 4 { perBlock *= 1.7 }
      // Small blocks have fewer weights and unused elements.
      let cost = Double(blocks) * perBlock * (1 + Double(count) / Double(lanes) * 0.002)
      if cost < least { (best, least) = ((pixels, limit * pixels), cost) }
    }
    return best
  }

  /// The geometry of copied planes.
  private static func planar(
    _ window: WindowGeometry, channels: Int, blocks: Int, lines: Int
  ) -> DepthwiseGeometry {
    DepthwiseGeometry(
      inputHeight: lines, inputWidth: window.width.windowSize &* blocks, outputWidth: blocks, channels: channels,
      kernelHeight: window.height.windowSize, kernelWidth: window.width.windowSize, rowStride: window.height.stride,
      rowDilation: window.height.dilation, columnDilation: window.width.windowSize == 1 ? 1 : blocks)
  }

  /// The geometry for which weights are packed, `pixels` times the weights of a pixel.
  var packedGeometry: DepthwiseGeometry { piece(0..<1, 0..<min(columns, window.width.outputSize)).geometry }

  /// Whether the results of a piece are adjacent in the output, without unused ones.
  func isDense(_ piece: Piece) -> Bool {
    (piece.lines.count == 1 || piece.columns.count == window.width.outputSize)
      && piece.lineElements == piece.columns.count &* outputChannels
  }

  /// The index of a piece's first result in the output image.
  func firstResult(_ piece: Piece) -> Int {
    (piece.lines.lowerBound &* window.width.outputSize &+ piece.columns.lowerBound) &* outputChannels
  }

  /// The maximum number of results in a piece.
  var resultCount: Int { lines * (form == .planes ? blocks * channels : columns * outputChannels) }

  /// The maximum size of a piece's copy in bytes.
  var copyBytes: Int { copiesLines ? temporaryOffset + (temporaryBytes + 127) & ~63 : 0 }

  private var copiesLines: Bool { form == .repeated || form == .planes }

  /// The size of a copied line.
  private var lineBytes: Int {
    form == .planes ? window.width.windowSize * blocks * channels * elementBytes : temporaryBytes
  }

  /// The size of the input columns of a line that a piece reads, repeated.
  private var temporaryBytes: Int {
    min(window.width.inputSize, (columns - 1) * window.width.stride + extent.width) * outputChannels * elementBytes
  }

  /// The position of a repeated line behind the copied ones. Both may be overrun.
  private var temporaryOffset: Int {
    let rows = min(window.height.inputSize, (lines - 1) * window.height.stride + extent.height)
    return (rows * lineBytes + 127) & ~63
  }

  /// Calls `body` with the pieces of some lines, first those of the same lines.
  @inline(__always)
  func forEach(_ lines: Range<Int>, _ body: (Piece) throws -> Void) rethrows {
    var line = lines.lowerBound
    while line < lines.upperBound {
      let end = min(lines.upperBound, line &+ self.lines)
      var column = 0
      while column < window.width.outputSize {
        let columnEnd = min(window.width.outputSize, column &+ columns)
        try body(piece(line..<end, column..<columnEnd))
        column = columnEnd
      }
      if form == .blocks && columns % pixels != 0 {
        // The last block overlaps the one before it, because weights begin with a pixel.
        try body(piece(line..<end, columns &- pixels..<columns))
      }
      line = end
    }
  }

  private func piece(_ lines: Range<Int>, _ columns: Range<Int>) -> Piece {
    let height = window.height
    switch form {
    case .image:
      return Piece(lines: lines, columns: columns, rows: lines, geometry: whole)
    case .blocks:
      let count = columns.count / pixels
      let isWhole = columns.count == window.width.outputSize && columns.count % pixels == 0
      return Piece(
        lines: lines, columns: columns.lowerBound..<columns.lowerBound &+ count &* pixels,
        rows: isWhole ? lines : 0..<1,
        geometry: Self.planar(
          window, channels: channels, blocks: count, lines: isWhole ? window.height.inputSize : 1))
    case .repeated:
      let rows = inputRows(lines), range = inputColumns(columns)
      var geometry = whole
      geometry.inputHeight = rows.count
      geometry.inputWidth = range.count
      geometry.outputWidth = columns.count
      geometry.paddingTop = rows.lowerBound &- height.start(lines.lowerBound)
      geometry.paddingLeft = range.lowerBound &- window.width.start(columns.lowerBound)
      return Piece(lines: lines, columns: columns, rows: 0..<lines.count, geometry: geometry)
    case .planes:
      let rows = inputRows(lines)
      var geometry = Self.planar(window, channels: channels, blocks: blocks, lines: rows.count)
      geometry.paddingTop = rows.lowerBound &- height.start(lines.lowerBound)
      return Piece(lines: lines, columns: columns, rows: 0..<lines.count, geometry: geometry)
    }
  }

  /// The lines and columns of the image from the first to the last that some outputs read; at least one.
  private func inputRows(_ lines: Range<Int>) -> Range<Int> { inputs(window.height, lines, extent.height) }
  private func inputColumns(_ columns: Range<Int>) -> Range<Int> { inputs(window.width, columns, extent.width) }

  private func inputs(_ axis: WindowAxis, _ outputs: Range<Int>, _ extent: Int) -> Range<Int> {
    let first = min(max(0, axis.start(outputs.lowerBound)), axis.inputSize &- 1)
    let end = min(axis.inputSize, axis.start(outputs.upperBound &- 1) &+ extent)
    return first..<max(first &+ 1, end)
  }

  /// Returns the pointer that kernels read a piece from: to an image, or to `scratch`, to which it copies the lines.
  ///
  /// - Parameters:
  ///   - zero: The bits of the element that stands for zero.
  ///   - scratch: Memory for `copyBytes` bytes.
  func source<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ piece: Piece, _ image: UnsafePointer<Bits>, zero: Bits, scratch: UnsafeMutableRawPointer
  ) -> UnsafePointer<Bits> {
    let channels = window.channels
    guard copiesLines else {
      // Whole images, or a single line.
      return piece.rows == piece.lines && piece.columns.lowerBound == 0
        ? image
        : image + (piece.lines.lowerBound &* window.width.inputSize &+ piece.columns.lowerBound) &* channels
    }
    let rows = inputRows(piece.lines), range = inputColumns(piece.columns)
    let target = scratch.assumingMemoryBound(to: Bits.self)
    let temporary = (scratch + temporaryOffset).assumingMemoryBound(to: Bits.self)
    let distance = piece.geometry.inputWidth &* piece.geometry.inputPixelStride
    for row in rows where isRead(row) {
      let from = image + row &* window.width.inputSize &* channels
      let to = target + (row &- rows.lowerBound) &* distance
      if form == .repeated {
        DepthwiseCopy.repeatElements(
          from + range.lowerBound &* channels, count: range.count &* channels, times: multiplier, to: to)
      } else {
        copyPlanes(piece, from, range, zero: zero, to: to, temporary: temporary)
      }
    }
    return UnsafePointer(target)
  }

  /// Whether any window reads a line of the image.
  private func isRead(_ row: Int) -> Bool {
    let height = window.height
    let position = (row &+ height.paddingBefore) % height.stride
    return height.stride <= extent.height || (position < extent.height && position % height.dilation == 0)
  }

  private func copyPlanes<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ piece: Piece, _ line: UnsafePointer<Bits>, _ range: Range<Int>, zero: Bits, to target: UnsafeMutablePointer<Bits>,
    temporary: UnsafeMutablePointer<Bits>
  ) {
    let width = window.width, channels = window.channels, outputChannels = outputChannels
    let plane = blocks &* self.channels
    let isRepeatedFirst = multiplier > 1 && width.stride == 1 && width.windowSize > 1
    if isRepeatedFirst {
      DepthwiseCopy.repeatElements(
        line + range.lowerBound &* channels, count: range.count &* channels, times: multiplier, to: temporary)
    }
    for tap in 0..<width.windowSize {
      let to = target + tap &* plane
      // The outputs for which this column of the window is inside the image.
      let start = width.start(piece.columns.lowerBound) &+ tap &* width.dilation
      let first = min(piece.columns.count, start < 0 ? (width.stride &- 1 &- start) / width.stride : 0)
      let last = start >= width.inputSize ? 0 : (width.inputSize &- 1 &- start) / width.stride &+ 1
      let count = max(0, min(piece.columns.count, last) &- first)
      let position = start &+ first &* width.stride
      to.update(repeating: zero, count: first &* outputChannels)
      let inner = to + first &* outputChannels
      if count > 0 {
        let from = line + position &* channels
        if isRepeatedFirst {
          inner.update(
            from: temporary + (position &- range.lowerBound) &* outputChannels, count: count &* outputChannels)
        } else if width.stride == 1 {
          DepthwiseCopy.repeatElements(from, count: count &* channels, times: multiplier, to: inner)
        } else if multiplier == 1 {
          DepthwiseCopy.copyPixels(from, count: count, channels: channels, stride: width.stride, to: inner)
        } else {
          DepthwiseCopy.copyPixels(from, count: count, channels: channels, stride: width.stride, to: temporary)
          DepthwiseCopy.repeatElements(UnsafePointer(temporary), count: count &* channels, times: multiplier, to: inner)
        }
      }
      let end = (first &+ count) &* outputChannels
      (to + end).update(repeating: zero, count: plane &- end)
    }
  }

  /// Copies the results of a piece, `lineElements` per line, to the output image.
  func store<Value: BitwiseCopyable>(
    _ piece: Piece, _ results: UnsafePointer<Value>, to output: UnsafeMutablePointer<Value>
  ) {
    let width = window.width.outputSize &* outputChannels
    for line in piece.lines {
      (output + (line &* width &+ piece.columns.lowerBound &* outputChannels)).update(
        from: results + (line &- piece.lines.lowerBound) &* piece.lineElements,
        count: piece.columns.count &* outputChannels)
    }
  }

  /// Returns the values of the output channels, once per pixel of a block.
  func repeated<Value>(_ values: [Value]) -> [Value] {
    pixels == 1 || values.count != outputChannels ? values : (0..<pixels).flatMap { _ in values }
  }

  /// Copies rows of values of the output channels, each once per pixel of a block.
  func repeatRows<Value: BitwiseCopyable>(
    _ values: UnsafePointer<Value>, rows: Int, to target: UnsafeMutablePointer<Value>
  ) {
    for row in 0..<rows {
      let from = values + row &* outputChannels
      for pixel in 0..<pixels {
        (target + (row &* pixels &+ pixel) &* outputChannels).update(from: from, count: outputChannels)
      }
    }
  }

  /// Whether kernels need another filter than the model's.
  var copiesFilter: Bool {
    guard let crop else { return pixels > 1 }
    return pixels > 1 || crop.width != window.width.windowSize || crop.row > 0
  }

  /// Copies the filter in the form for kernels.
  func copyFilter<Value: BitwiseCopyable>(_ filter: UnsafePointer<Value>, to target: UnsafeMutablePointer<Value>) {
    let width = window.width.windowSize, crop = crop ?? (0, 0, width)
    for row in 0..<window.height.windowSize {
      repeatRows(
        filter + ((crop.row &+ row) &* crop.width &+ crop.column) &* outputChannels, rows: width,
        to: target + row &* width &* channels)
    }
  }
}

/// Copies of elements, given by their bits. They may write up to 32 bytes behind the target, but read nothing else than
/// the source.
enum DepthwiseCopy {
  /// Copies every element `times` times.
  @inline(__always)
  static func repeatElements<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ source: UnsafePointer<Bits>, count: Int, times: Int, to target: UnsafeMutablePointer<Bits>
  ) {
    guard times > 1 else { return target.update(from: source, count: count) }
    let size = MemoryLayout<Bits>.size
    if times == 2 {
      // Becomes vector shuffles.
      for index in 0..<count {
        target[2 &* index] = source[index]
        target[2 &* index &+ 1] = source[index]
      }
    } else if times &* size <= 4 {
      spread(source, count: count, step: times &* size, to: target) {
        UInt32(truncatingIfNeeded: $0) &* (size == 1 ? 0x0101_0101 : 0x1_0001)
      }
    } else if times &* size <= 8 {
      spread(source, count: count, step: times &* size, to: target) {
        UInt64(truncatingIfNeeded: $0) &* (size == 1 ? 0x0101_0101_0101_0101 : 0x1_0000_0001)
      }
    } else if size == 4 && times <= 4 {
      spread(source, count: count, step: times &* size, to: target) {
        SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: $0))
      }
    } else {
      for index in 0..<count { (target + index &* times).update(repeating: source[index], count: times) }
    }
  }

  @inline(__always)
  private static func spread<Bits: BitwiseCopyable, Spread: BitwiseCopyable>(
    _ source: UnsafePointer<Bits>, count: Int, step: Int, to target: UnsafeMutablePointer<Bits>,
    _ value: (Bits) -> Spread
  ) {
    let to = UnsafeMutableRawPointer(target)
    for index in 0..<count { (to + index &* step).storeBytes(of: value(source[index]), as: Spread.self) }
  }

  /// Copies every `stride`th pixel.
  static func copyPixels<Bits: FixedWidthInteger & UnsignedInteger & BitwiseCopyable>(
    _ source: UnsafePointer<Bits>, count: Int, channels: Int, stride: Int, to target: UnsafeMutablePointer<Bits>
  ) {
    let size = channels &* MemoryLayout<Bits>.size
    let from = UnsafeRawPointer(source), to = UnsafeMutableRawPointer(target)
    switch size {
    case 1: copy(from, count: count, stride: stride, to: to, UInt8.self)
    case 2: copy(from, count: count, stride: stride, to: to, UInt16.self)
    case 4: copy(from, count: count, stride: stride, to: to, UInt32.self)
    case 8: copy(from, count: count, stride: stride, to: to, UInt64.self)
    case 16: copy(from, count: count, stride: stride, to: to, SIMD2<UInt64>.self)
    case 3..<8: copyOverlapping(from, size: size, count: count, step: stride &* size, to: to, UInt64.self)
    case 9..<16: copyOverlapping(from, size: size, count: count, step: stride &* size, to: to, SIMD2<UInt64>.self)
    case 17...32: copyOverlapping(from, size: size, count: count, step: stride &* size, to: to, SIMD4<UInt64>.self)
    case 33...64: copyOverlapping(from, size: size, count: count, step: stride &* size, to: to, SIMD8<UInt64>.self)
    default:
      for index in 0..<count {
        (target + index &* channels).update(from: source + index &* channels &* stride, count: channels)
      }
    }
  }

  @inline(__always)
  private static func copy<Pixel: BitwiseCopyable>(
    _ source: UnsafeRawPointer, count: Int, stride: Int, to target: UnsafeMutableRawPointer, _ type: Pixel.Type
  ) {
    let size = MemoryLayout<Pixel>.size
    // A constant stride becomes vector shuffles.
    if stride == 2 {
      for index in 0..<count {
        (target + index &* size).storeBytes(
          of: (source + index &* 2 &* size).loadUnaligned(as: Pixel.self), as: Pixel.self)
      }
      return
    }
    for index in 0..<count {
      (target + index &* size).storeBytes(
        of: (source + index &* stride &* size).loadUnaligned(as: Pixel.self), as: Pixel.self)
    }
  }

  /// Copies pixels with loads and stores of a larger type, each of which the next one overwrites partly.
  @inline(__always)
  private static func copyOverlapping<Wide: BitwiseCopyable>(
    _ source: UnsafeRawPointer, size: Int, count: Int, step: Int, to target: UnsafeMutableRawPointer, _ type: Wide.Type
  ) {
    let end = (count &- 1) &* step &+ size
    var index = 0
    while index &* step &+ MemoryLayout<Wide>.size <= end {
      (target + index &* size).storeBytes(of: (source + index &* step).loadUnaligned(as: Wide.self), as: Wide.self)
      index &+= 1
    }
    while index < count {
      (target + index &* size).copyMemory(from: source + index &* step, byteCount: size)
      index &+= 1
    }
  }
}
