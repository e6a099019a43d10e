import SwiftletEngine
import SwiftletKernels

/// The lines of images that some windows of a convolution read, rounded to bfloat16 with the padding at their ends:
/// so a row of every window is one run of memory, and one tap.
struct BFloat16RowBuffer: Sendable {
  private let geometry: WindowGeometry
  /// The lines of the largest block of windows as an image without padding.
  private let block: WindowGeometry
  /// Where a line's own numbers begin, how many windows read, and how many zeros follow.
  private let left: Int, kept: Int, right: Int

  /// More than this would not stay in a core's own cache.
  private static let largest = 1 << 22

  /// `nil` where rows of windows are not runs of memory, or lines are very long.
  ///
  /// - Parameters:
  ///   - rowBlock: the most windows in a block.
  init?(_ geometry: WindowGeometry, groupChannels: Int, rowBlock: Int) {
    guard geometry.width.dilation == 1, groupChannels == geometry.channels, geometry.pixels > 0 else { return nil }
    self.geometry = geometry
    let width = geometry.width.outputSize
    let lines = min(geometry.height.outputSize, (max(1, rowBlock) - 1 + width - 1) / width + 1)
    block = WindowGeometry(
      batch: 1, height: geometry.height.padded(outputs: lines), width: geometry.width.padded(outputs: width),
      channels: geometry.channels)
    let numbers = Shape([block.height.inputSize, block.width.inputSize, geometry.channels])
    guard numbers.elementCount <= Self.largest / 2 else { return nil }
    let pitch = block.width.inputSize * geometry.channels
    left = min(pitch, geometry.width.paddingBefore * geometry.channels)
    kept = min(pitch - left, geometry.width.inputSize * geometry.channels)
    right = pitch - left - kept
  }

  /// Memory for the lines of a block.
  var byteCount: Int { block.imageElementCount * 2 }

  /// The products of `layout`, whose windows are those of the geometry, with the windows of a block in its table.
  func products(_ context: PrepareContext, _ layout: GemmLayout) -> GemmLayout {
    let rows = WindowRows(block, channels: geometry.channels)
    var layout = layout
    layout.taps = rows.taps
    layout.tapDepth = rows.tapDepth
    layout.windows = rows.table(context)
    layout.inner = nil
    return layout
  }

  /// Rounds what the windows of some output pixels of `image` read.
  ///
  /// - Returns: the pixel that the first window of the table belongs to.
  func round(
    _ pixels: Range<Int>, of image: UnsafePointer<Float>, into lines: UnsafeMutablePointer<UInt16>,
    _ kernels: BFloat16Kernels
  ) -> Int {
    let width = geometry.width.outputSize, height = geometry.height
    let first = pixels.lowerBound / width, last = (pixels.upperBound &- 1) / width
    let top = height.start(first)
    let count = (last &- first) &* height.stride &+ (height.windowSize &- 1) &* height.dilation &+ 1
    let pitch = left &+ kept &+ right
    for line in 0..<count {
      let target = lines + line &* pitch
      let row = top &+ line
      guard row >= 0, row < height.inputSize else {
        target.update(repeating: 0, count: pitch)
        continue
      }
      target.update(repeating: 0, count: left)
      kernels.round(
        rows: 1, columns: kept, input: image + row &* geometry.width.inputSize &* geometry.channels, inputStride: 0,
        output: target + left, outputStride: 0)
      (target + (left &+ kept)).update(repeating: 0, count: right)
    }
    return first &* width
  }
}

extension WindowAxis {
  /// The same windows for the first outputs alone, over an input that holds their padding and nothing else.
  fileprivate func padded(outputs: Int) -> WindowAxis {
    WindowAxis(
      inputSize: (outputs - 1) * stride + (windowSize - 1) * dilation + 1, windowSize: windowSize, stride: stride,
      dilation: dilation, paddingBefore: 0, outputSize: outputs)
  }
}
