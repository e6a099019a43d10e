import SwiftletImage
import SwiftletKernels

/// Resizes interleaved float images with any number of channels, such as a model's masks, to one plane per channel. It
/// uses bilinear interpolation with half-pixel centers.
///
/// Target pixel `d` is interpolated at source position `(d + 0.5) · source / target − 0.5`, clamped to the edges. This
/// is the result of OpenCV's `resize` with `INTER_LINEAR` for float planes. There is no smoothing if the image shrinks.
/// Denormals are flushed to zero.
///
/// Goals, in this order: no access outside the buffers, horizontal interpolation of every source row only once per
/// call, then vectorization. A source row is interpolated with its channels interleaved, and only then split into
/// planes.
///
/// - Shapes: source `[sourceHeight, sourceWidth, channels]`; targets `channels` times `[height, width]`.
/// - Thread safety: callable concurrently on different rows with separate scratch memory.
struct PlaneResizer: Sendable {
  let sourceWidth: Int
  let sourceHeight: Int
  let channels: Int
  let width: Int
  let height: Int
  /// The activation that is applied to the channels of every source pixel first.
  let activation: ChannelActivation

  private let columns: [ColumnTap<Float>]
  private let rows: [LinearTap]

  /// The number of floats of scratch memory that a call needs.
  var scratchCount: Int { sourceRowCount + 3 * targetRowCount }

  private var sourceRowCount: Int { sourceWidth * channels + Self.slack }
  private var targetRowCount: Int { width * channels }
  /// The number of floats after a row that the kernels may read.
  private static let slack = ResizeKernels.slackBytes / 4

  /// Creates the tables for resizing.
  ///
  /// - Throws: ``ImageError`` if a size is not in 1…1048576 or there are too many channels.
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
  ///   - source: The source, channels interleaved, rows without padding.
  ///   - targetRows: The rows of the planes to write.
  ///   - planes: The plane of each channel: `height · width` floats, of which only `targetRows` are written.
  ///   - scratch: At least ``scratchCount`` floats, whose contents are not used before or after the call.
  /// - Throws: ``ImageError`` if a buffer is too small, or the rows are out of range.
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

  /// Interpolates one source row horizontally and splits it into planes of `width` floats each.
  ///
  /// - Parameter memory: Memory for a source row with slack, followed by an interpolated row.
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
      // The kernels read past the end of a row. For the last rows of the source, copy the row to memory with slack.
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

extension LinearTap {
  /// Returns the taps for half-pixel centers: positions in double precision, clamped to the edges.
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

  /// Returns the taps for aligned corners: the first source pixel maps to the first target pixel, and the last to the
  /// last. Positions are in single precision.
  ///
  /// The operations are MediaPipe's, so that positions that coincide with a pixel do so in both. A target of one pixel
  /// takes the first source pixel.
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

/// The activation that turns the channels of a pixel into confidences.
enum ChannelActivation: Sendable, Hashable {
  case none
  /// `1 / (1 + e^−x)` for each channel.
  case sigmoid
  /// `e^x / Σ e^x` over the channels, so that they sum to 1.
  case softmax

  /// Applies the activation.
  ///
  /// - Parameters:
  ///   - source: `pixels · channels` floats.
  ///   - target: Memory for as many floats. It must not overlap the source.
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
