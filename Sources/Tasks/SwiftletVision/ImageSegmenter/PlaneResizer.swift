import SwiftletImage
import SwiftletKernels

/// Enlarges or shrinks floats of an image's size with any number of channels, such as a model's masks, into one plane
/// per channel, by bilinear interpolation with half-pixel centers.
///
/// Target pixel `d` takes its value from source position `(d + 0.5) · source / target − 0.5`; positions outside are
/// those of the edge. It is what OpenCV's `resize` with `INTER_LINEAR` does to float planes. There is no smoothing when
/// shrinking. Denormals count as zero.
///
/// Goals, in this order: nothing read or written outside the buffers, every source row mixed only once per call, then
/// vectors. A source row is mixed along its channels, which lie side by side, and only then taken apart into planes.
///
/// - Shapes: source `[sourceHeight, sourceWidth, channels]`; targets `channels` times `[height, width]`.
/// - Thread safety: callable concurrently on different rows with scratch memory of their own.
struct PlaneResizer: Sendable {
  let sourceWidth: Int
  let sourceHeight: Int
  let channels: Int
  let width: Int
  let height: Int
  /// What is done to the channels of every source pixel first.
  let activation: ChannelActivation

  private let columns: [ColumnTap<Float>]
  private let rows: [LinearTap]

  /// How many floats of scratch memory a call needs.
  var scratchCount: Int { sourceRowCount + 3 * targetRowCount }

  private var sourceRowCount: Int { sourceWidth * channels + Self.slack }
  private var targetRowCount: Int { width * channels }
  /// Floats behind a row that the kernels may read.
  private static let slack = ResizeKernels.slackBytes / 4

  /// - Throws: ``ImageError`` when a size is not in 1…1048576 or there are too many channels.
  init(
    sourceWidth: Int, sourceHeight: Int, channels: Int = 1, width: Int, height: Int,
    activation: ChannelActivation = .none
  ) throws {
    let range = 1...PixelLayout.maximumDimension
    guard [sourceWidth, sourceHeight, channels, width, height].allSatisfy(range.contains),
      sourceWidth * channels <= Int(Int32.max), width * channels <= Int(Int32.max)
    else {
      throw ImageError(
        code: .invalidSize,
        message: """
          a plane of \(sourceWidth) × \(sourceHeight) with \(channels) channels cannot be resized to \(width) × \(height); \
          every size must be in \(range), and a row must have at most \(Int32.max) numbers
          """)
    }
    self.sourceWidth = sourceWidth
    self.sourceHeight = sourceHeight
    self.channels = channels
    self.width = width
    self.height = height
    self.activation = activation
    columns = LinearTap.table(from: sourceWidth, to: width).map { tap in
      ColumnTap(
        lower: Int32(truncatingIfNeeded: tap.index0 * channels),
        upper: Int32(truncatingIfNeeded: tap.index1 * channels),
        lowerWeight: 1 - tap.weight, upperWeight: tap.weight)
    }
    rows = LinearTap.table(from: sourceHeight, to: height)
  }

  /// Writes some rows of all planes.
  ///
  /// - Parameters:
  ///   - source: the source, channels interleaved, rows without padding.
  ///   - targetRows: which rows of the results to write.
  ///   - planes: where each channel goes: `height · width` floats, of which only `targetRows` are written.
  ///   - scratch: at least ``scratchCount`` floats; their contents before and after do not matter.
  /// - Throws: ``ImageError`` when a buffer is too small, or the rows do not exist.
  func resize(
    _ source: UnsafeBufferPointer<Float>, targetRows: Range<Int>,
    into planes: UnsafeBufferPointer<UnsafeMutablePointer<Float>>, scratch: UnsafeMutableBufferPointer<Float>
  ) throws {
    guard source.count >= sourceHeight * sourceWidth * channels, planes.count == channels,
      scratch.count >= scratchCount,
      targetRows.lowerBound >= 0, targetRows.upperBound <= height, let memory = scratch.baseAddress
    else {
      throw ImageError(
        code: .tooFewBytes,
        message: """
          \(channels) planes of \(sourceWidth) × \(sourceHeight) in a buffer of \(source.count) floats cannot be resized to \
          rows \(targetRows) of \(width) × \(height) in \(planes.count) planes with \(scratch.count) floats of scratch memory; \
          check the sizes
          """)
    }
    withFlushedDenormals { resizeRows(targetRows, of: source, into: planes, memory) }
  }

  private func resizeRows(
    _ targetRows: Range<Int>, of source: UnsafeBufferPointer<Float>,
    into planes: UnsafeBufferPointer<UnsafeMutablePointer<Float>>, _ memory: UnsafeMutablePointer<Float>
  ) {
    let kernels = KernelTable.current.resize
    var upper = memory + sourceRowCount + targetRowCount
    var lower = upper + targetRowCount
    var upperRow = -1
    var lowerRow = -1
    for row in targetRows {
      let tap = rows[row]
      if tap.index0 == lowerRow {
        swap(&upper, &lower)
        swap(&upperRow, &lowerRow)
      }
      if tap.index0 != upperRow {
        mixColumns(ofRow: tap.index0, of: source, memory, into: upper)
        upperRow = tap.index0
      }
      if tap.weight != 0, tap.index1 != lowerRow {
        mixColumns(ofRow: tap.index1, of: source, memory, into: lower)
        lowerRow = tap.index1
      }
      for channel in 0..<channels {
        let target = planes[channel] + row * width
        let start = channel * width
        if tap.weight == 0 {
          target.update(from: upper + start, count: width)
        } else {
          kernels.mixRows(upper + start, lower + start, tap.weight, count: width, into: target)
        }
      }
    }
  }

  /// Mixes the columns of one source row and takes it apart: plane after plane, `width` floats each.
  ///
  /// - Parameter memory: room for a source row with slack, and behind it for a mixed row.
  private func mixColumns(
    ofRow row: Int, of source: UnsafeBufferPointer<Float>, _ memory: UnsafeMutablePointer<Float>,
    into target: UnsafeMutablePointer<Float>
  ) {
    let count = sourceWidth * channels
    let first = row * count
    guard let base = source.baseAddress else { return }
    var line = base + first
    if activation != .none {
      activation.apply(to: line, pixels: sourceWidth, channels: channels, into: memory)
      line = UnsafePointer(memory)
    } else if first + count + Self.slack > source.count {
      // The kernels read a little further than the row: at the end of the source that needs a copy with room behind it.
      memory.update(from: line, count: count)
      line = UnsafePointer(memory)
    }
    let mixed = channels == 1 ? target : memory + sourceRowCount
    if width != sourceWidth {
      columns.withUnsafeBufferPointer {
        KernelTable.current.resize.mixColumns(line, taps: $0, channels: channels, into: mixed)
      }
    } else if channels == 1 {
      mixed.update(from: line, count: count)
    }
    guard channels > 1 else { return }
    let interleaved = width == sourceWidth ? line : UnsafePointer(mixed)
    interleaved.withMemoryRebound(to: UInt32.self, capacity: targetRowCount) { interleaved in
      target.withMemoryRebound(to: UInt32.self, capacity: targetRowCount) { target in
        KernelTable.current.movement.transpose(
          rows: width, columns: channels, input: interleaved, inputStride: channels, output: target, outputStride: width
        )
      }
    }
  }
}

/// Two neighboring pixels of the source and how much of the second to take.
struct LinearTap: Sendable, Hashable {
  let index0: Int
  let index1: Int
  let weight: Float

  /// Half-pixel centers, positions in double precision, clamped to the edge.
  static func table(from source: Int, to target: Int) -> [LinearTap] {
    let scale = Double(source) / Double(target)
    return (0..<target).map { index in
      let position = (Double(index) + 0.5) * scale - 0.5
      let floor = position.rounded(.down)
      let first = Int(floor)
      if first < 0 { return LinearTap(index0: 0, index1: 0, weight: 0) }
      if first >= source - 1 { return LinearTap(index0: source - 1, index1: source - 1, weight: 0) }
      return LinearTap(index0: first, index1: first + 1, weight: Float(position - floor))
    }
  }

  /// The first pixel of the source on the first of the target, the last on the last; positions in single precision.
  ///
  /// The steps are MediaPipe's, so that where a position falls on a pixel it falls on the same one. A target of one
  /// pixel takes the first of the source.
  static func alignedTable(from source: Int, to target: Int) -> [LinearTap] {
    let scale = target > 1 ? Float(source - 1) / Float(target - 1) : 0
    return (0..<target).map { index in
      let position = Float(index) * scale
      let first = min(Int(position), source - 1)
      return LinearTap(
        index0: first, index1: min(first + 1, source - 1), weight: max(min(position - Float(first), 1), 0))
    }
  }
}

/// What is done to the channels of a pixel to make confidences of them.
enum ChannelActivation: Sendable, Hashable {
  case none
  /// `1 / (1 + e^−x)` of each by itself.
  case sigmoid
  /// `e^x / Σ e^x`, so that they sum to 1.
  case softmax

  /// - Parameters:
  ///   - source: `pixels · channels` floats.
  ///   - target: as many; not overlapping.
  func apply(
    to source: UnsafePointer<Float>, pixels: Int, channels: Int, into target: UnsafeMutablePointer<Float>
  ) {
    let kernels = KernelTable.current.elementwise
    switch self {
    case .none: target.update(from: source, count: pixels * channels)
    case .sigmoid: kernels.apply(.logistic, count: pixels * channels, input: source, output: target)
    case .softmax: kernels.softmax(rows: pixels, columns: channels, input: source, beta: 1, output: target)
    }
  }
}
