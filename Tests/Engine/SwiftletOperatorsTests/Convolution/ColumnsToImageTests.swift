import SwiftletBase
import SwiftletKernels
import Testing

@testable import SwiftletEngine
@testable import SwiftletOperators

/// The sizes of an axis of a transposed convolution.
struct TransposedAxisCase: Sendable {
  var input: Int
  var window: Int
  var stride: Int
  /// The padding before the first output, and the size of the output.
  var padding: Int
  var output: Int

  var axis: TransposedWindow.Axis {
    TransposedWindow.Axis(inputSize: input, outputSize: output, windowSize: window, stride: stride, padding: padding)
  }

  static let all: [TransposedAxisCase] = [
    // One input position, for windows of any size.
    .init(input: 1, window: 1, stride: 1, padding: 0, output: 1),
    .init(input: 1, window: 7, stride: 1, padding: 0, output: 7),
    .init(input: 1, window: 7, stride: 3, padding: 0, output: 8),
    .init(input: 1, window: 9, stride: 1, padding: 4, output: 1),
    // Windows below, equal to, and above the stride.
    .init(input: 5, window: 2, stride: 3, padding: 0, output: 15),
    .init(input: 5, window: 1, stride: 4, padding: 0, output: 19),
    .init(input: 4, window: 3, stride: 3, padding: 0, output: 12),
    .init(input: 5, window: 4, stride: 2, padding: 1, output: 10),
    .init(input: 6, window: 5, stride: 2, padding: 1, output: 12),
    .init(input: 9, window: 3, stride: 1, padding: 1, output: 9),
    .init(input: 3, window: 11, stride: 4, padding: 3, output: 12),
    .init(input: 7, window: 22, stride: 9, padding: 6, output: 63),
    // Windows that reach few outputs.
    .init(input: 4, window: 30, stride: 2, padding: 13, output: 7),
    .init(input: 2, window: 3, stride: 5, padding: 1, output: 4),
  ]
}

@Suite("Adding the products of a transposed convolution")
struct ColumnsToImageTests {
  /// Products that are the position of a pixel times that of a weight, computed in any part.
  private struct Sums: Sendable {
    let window: TransposedWindow
    let image: ColumnsToImage
    let hasBias: Bool
    let hasPadding: Bool
    /// Whether products include the bias and are copied.
    var isCopied = false

    private static let panel = 4

    private func pixel(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: index * 31 % 97 - 40) }
    private func weight(_ index: Int) -> Int32 { Int32(truncatingIfNeeded: index * 17 % 89 - 30) }
    private func bias(_ channel: Int) -> Int32 { hasBias ? Int32(channel * 1000 - 500) : 0 }
    private func padding(_ index: Int) -> Int32 { hasPadding ? Int32(index % 3 + 1) : 0 }

    /// The sums by definition.
    func expected() -> [Int32] {
      let channels = window.outputChannels, height = window.height, width = window.width
      var sums = (0..<window.batch * height.outputSize * width.outputSize * channels).map { bias($0 % channels) }
      for index in 0..<window.batch {
        for row in 0..<height.inputSize {
          for column in 0..<width.inputSize {
            for line in 0..<height.windowSize {
              for place in 0..<width.windowSize {
                let y = row * height.stride - height.padding + line, x = column * width.stride - width.padding + place
                guard y >= 0, y < height.outputSize, x >= 0, x < width.outputSize else { continue }
                for channel in 0..<channels {
                  let position = (index * height.inputSize + row) * width.inputSize + column
                  let value = weight((channel * height.windowSize + line) * width.windowSize + place)
                  sums[((index * height.outputSize + y) * width.outputSize + x) * channels + channel] &+=
                    value &* (pixel(position) &- padding(index))
                }
              }
            }
          }
        }
      }
      return sums
    }

    /// The sums of all tiles, each run once, the last first.
    func actual(threads: Int, work: Double) throws -> [Int32] {
      let layout = image.layout, channels = image.outputChannels
      let positions = try #require(layout.weights.tapPositions)
      let scratch = image.scratch(
        threads: threads, work: work, panelColumns: Self.panel, from: 128, hasPadding: hasPadding)
      @Sendable func product(_ value: Int32, _ column: Int) -> Int32 {
        let (repetition, channel) = column.quotientAndRemainder(dividingBy: channels)
        let start = isCopied ? bias(channel) : 0
        guard positions[repetition] >= 0 else { return start }
        return start &+ value &* weight(channel * layout.weights.columnStride + positions[repetition])
      }
      let count = image.batch * image.height.outputSize * image.width.outputSize * channels
      let output = AlignedBytes(zeroed: count * 4), biases = AlignedBytes(zeroed: channels * 4)
      for channel in 0..<channels { biases.start.assumingMemoryBound(to: Int32.self)[channel] = bias(channel) }
      let written = Counter()
      let multiply: ColumnSteps<Int32>.Multiply = { _, pixels, columns, products, distance in
        #expect(columns.lowerBound % Self.panel == 0 && columns.upperBound <= image.columns)
        #expect(pixels.lowerBound >= 0 && pixels.upperBound <= image.inputPixels)
        #expect(columns.count <= distance)
        for (row, index) in pixels.enumerated() {
          let line = products + row * distance, value = pixel(index)
          for (place, column) in columns.enumerated() { line[place] = product(value, column) }
        }
      }
      let multiplyPadding: ColumnSteps<Int32>.MultiplyPadding = { _, index, columns, products in
        let value = padding(index)
        for (place, column) in columns.enumerated() { products[place] = product(value, column) }
      }
      let finish: ColumnSteps<Int32>.Finish = { run, _, sums, pixels, position, memory in
        let length = pixels * channels
        memory.initializeMemory(as: UInt8.self, repeating: 0xFF, count: length * 4)
        written.value += length
        run.pointer(TensorSlot(index: 0), as: Int32.self).advanced(by: position).update(from: sums, count: length)
      }
      let start: ColumnSteps<Int32>.Start = { run, sums in
        sums.update(from: run.pointer(TensorSlot(index: 1), as: Int32.self), count: channels)
      }
      let steps = ColumnSteps<Int32>(
        placement: isCopied ? .copied : .added, multiply: multiply, multiplyPadding: hasPadding ? multiplyPadding : nil,
        start: hasBias ? start : nil,
        finish: finish, reads: [], writes: [])
      let sums = ColumnSums(
        image: image, steps: steps, scratch: scratch, panelColumns: Self.panel,
        movement: KernelTable.current.movement, work: work)
      let stage = sums.stage.cut(forThreads: threads)
      let guarded = 256
      let memory = AlignedBytes(zeroed: scratch.byteCount + guarded)
      memory.start.initializeMemory(as: UInt8.self, repeating: 0xA5, count: scratch.byteCount + guarded)
      let pointers = [output.start, biases.start]
      try pointers.withUnsafeBufferPointer { pointers in
        let run = RunContext(pointers: try #require(pointers.baseAddress), workerScratch: memory.start)
        for tile in (0..<stage.tileCount).reversed() { try stage.run(run, tile) }
      }
      #expect(written.value == count)
      let bytes = UnsafeRawBufferPointer(start: memory.start, count: scratch.byteCount + guarded)
      #expect(bytes[..<128].allSatisfy { $0 == 0xA5 } && bytes[scratch.byteCount...].allSatisfy { $0 == 0xA5 })
      return Array(UnsafeBufferPointer(start: output.start.assumingMemoryBound(to: Int32.self), count: count))
    }
  }

  private final class Counter: @unchecked Sendable { var value = 0 }

  private func window(
    _ height: TransposedAxisCase, _ width: TransposedAxisCase, batch: Int, channels: Int
  ) -> TransposedWindow {
    TransposedWindow(
      batch: batch, height: height.axis, width: width.axis, inputChannels: 1, outputChannels: channels,
      elementStride: 1, columnStride: height.window * width.window)
  }

  private func check(_ window: TransposedWindow, threads: [Int], work: Double = 0) throws {
    for isGrouped in [false, true] {
      let image = try #require(ColumnsToImage(window, isGrouped: isGrouped))
      for (hasBias, hasPadding, isCopied) in [(false, false, false), (true, true, false), (true, false, true)] {
        guard !isCopied || image.isDisjoint else { continue }
        let sums = Sums(window: window, image: image, hasBias: hasBias, hasPadding: hasPadding, isCopied: isCopied)
        let expected = sums.expected()
        for threads in threads {
          let actual = try sums.actual(threads: threads, work: work)
          #expect(actual == expected, "\(window), grouped \(isGrouped), \(threads) threads")
        }
      }
    }
  }

  @Test("gives the sums by definition, in any tiles", arguments: TransposedAxisCase.all, [1, 3])
  func sums(height: TransposedAxisCase, batch: Int) throws {
    for (index, width) in TransposedAxisCase.all.enumerated() {
      try check(window(height, width, batch: batch, channels: 1 + index % 3), threads: [1, 3])
    }
  }

  /// Blocks are parts of images, of input lines, and of windows.
  @Test("gives the sums by definition if they don't fit the cache")
  func largeSums() throws {
    let narrow = TransposedAxisCase(input: 40, window: 9, stride: 4, padding: 2, output: 160)
    let wide = TransposedAxisCase(input: 70, window: 6, stride: 3, padding: 1, output: 210)
    try check(window(narrow, wide, batch: 1, channels: 2), threads: [1, 4])
    let tall = TransposedAxisCase(input: 3, window: 45, stride: 4, padding: 20, output: 12)
    try check(window(tall, wide, batch: 2, channels: 30), threads: [1, 3])
    let line = TransposedAxisCase(input: 300, window: 40, stride: 7, padding: 0, output: 2133)
    let few = TransposedAxisCase(input: 2, window: 3, stride: 2, padding: 0, output: 5)
    try check(window(few, line, batch: 1, channels: 11), threads: [1, 2])
  }

  @Test("gives the sums by definition in tiles between which the deadline is checked")
  func deadlineTiles() throws {
    let axis = TransposedAxisCase(input: 9, window: 7, stride: 3, padding: 2, output: 27)
    try check(window(axis, axis, batch: 2, channels: 3), threads: [1, 2], work: 60_000_000)
  }

  @Test("doesn't take dilated, deep, and very large windows")
  func refuses() {
    let axis = TransposedAxisCase(input: 4, window: 3, stride: 2, padding: 0, output: 9)
    var dilated = axis.axis
    dilated.dilation = 2
    var window = window(axis, axis, batch: 1, channels: 2)
    #expect(ColumnsToImage(window, isGrouped: true) != nil)
    window.width = dilated
    #expect(ColumnsToImage(window, isGrouped: true) == nil)
    window.width = axis.axis
    window.depth = axis.axis
    #expect(ColumnsToImage(window, isGrouped: true) == nil)
    let large = TransposedAxisCase(input: 1, window: 1 << 20, stride: 1 << 10, padding: 0, output: 1 << 20)
    #expect(ColumnsToImage(self.window(large, axis, batch: 1, channels: 2), isGrouped: false) == nil)
    let long = TransposedAxisCase(
      input: Int(Int32.max), window: 1, stride: Int(Int32.max), padding: 0, output: Int(Int32.max))
    #expect(ColumnsToImage(self.window(axis, long, batch: 1, channels: 2), isGrouped: false) == nil)
    #expect(ColumnsToImage(self.window(long, axis, batch: 1, channels: 2), isGrouped: true) == nil)
    // No window element reaches the output.
    let missing = TransposedAxisCase(input: 1, window: 2, stride: 1, padding: 2, output: 1)
    #expect(ColumnsToImage(self.window(missing, axis, batch: 1, channels: 2), isGrouped: false) == nil)
  }
}
