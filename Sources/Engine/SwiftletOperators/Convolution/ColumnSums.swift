import SwiftletBase
import SwiftletEngine
import SwiftletKernels

/// A sum of the products that pixels add to an output: exact for integers.
protocol ColumnSum: BitwiseCopyable, Sendable {
  /// Adds `count` products, minus those of padding if there are any, to as many sums.
  static func add(
    _ count: Int, _ products: UnsafePointer<Self>, minus padding: UnsafePointer<Self>?,
    to sums: UnsafeMutablePointer<Self>)
}

extension Int32: ColumnSum {
  @inline(__always)
  static func add(
    _ count: Int, _ products: UnsafePointer<Int32>, minus padding: UnsafePointer<Int32>?,
    to sums: UnsafeMutablePointer<Int32>
  ) {
    var index = 0
    if let padding {
      while index &+ 4 <= count {
        let own = load4(products + index) &- load4(padding + index)
        store4(load4(sums + index) &+ own, sums + index)
        index &+= 4
      }
      while index < count {
        sums[index] &+= products[index] &- padding[index]
        index &+= 1
      }
      return
    }
    while index &+ 8 <= count {
      store4(load4(sums + index) &+ load4(products + index), sums + index)
      store4(load4(sums + (index &+ 4)) &+ load4(products + (index &+ 4)), sums + (index &+ 4))
      index &+= 8
    }
    if index &+ 4 <= count {
      store4(load4(sums + index) &+ load4(products + index), sums + index)
      index &+= 4
    }
    while index < count {
      sums[index] &+= products[index]
      index &+= 1
    }
  }

  @inline(__always)
  private static func load4(_ values: UnsafePointer<Int32>) -> SIMD4<Int32> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD4<Int32>.self)
  }

  @inline(__always)
  private static func store4(_ vector: SIMD4<Int32>, _ values: UnsafeMutablePointer<Int32>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD4<Int32>.self)
  }
}

extension Float: ColumnSum {
  @inline(__always)
  static func add(
    _ count: Int, _ products: UnsafePointer<Float>, minus padding: UnsafePointer<Float>?,
    to sums: UnsafeMutablePointer<Float>
  ) {
    var index = 0
    while index &+ 8 <= count {
      store4(load4(sums + index) + load4(products + index), sums + index)
      store4(load4(sums + (index &+ 4)) + load4(products + (index &+ 4)), sums + (index &+ 4))
      index &+= 8
    }
    if index &+ 4 <= count {
      store4(load4(sums + index) + load4(products + index), sums + index)
      index &+= 4
    }
    while index < count {
      sums[index] += products[index]
      index &+= 1
    }
  }

  @inline(__always)
  private static func load4(_ values: UnsafePointer<Float>) -> SIMD4<Float> {
    UnsafeRawPointer(values).loadUnaligned(as: SIMD4<Float>.self)
  }

  @inline(__always)
  private static func store4(_ vector: SIMD4<Float>, _ values: UnsafeMutablePointer<Float>) {
    UnsafeMutableRawPointer(values).storeBytes(of: vector, as: SIMD4<Float>.self)
  }
}

extension UInt8: ColumnSum {
  /// Bytes are results, which are only copied.
  static func add(
    _ count: Int, _ products: UnsafePointer<UInt8>, minus padding: UnsafePointer<UInt8>?,
    to sums: UnsafeMutablePointer<UInt8>
  ) {
    sums.update(from: products, count: count)
  }
}

/// The steps of a `ColumnsToImage` that depend on the types.
struct ColumnSteps<Sum: ColumnSum>: Sendable {
  /// How products get into the output.
  enum Placement { case added, copied }

  typealias Multiply =
    @Sendable (
      _ run: RunContext, _ pixels: Range<Int>, _ columns: Range<Int>, _ products: UnsafeMutablePointer<Sum>,
      _ distance: Int
    ) -> Void
  typealias MultiplyPadding =
    @Sendable (_ run: RunContext, _ image: Int, _ columns: Range<Int>, _ products: UnsafeMutablePointer<Sum>) -> Void
  typealias Start = @Sendable (_ run: RunContext, _ channels: UnsafeMutablePointer<Sum>) -> Void
  typealias Finish =
    @Sendable (
      _ run: RunContext, _ image: Int, _ sums: UnsafePointer<Sum>, _ pixels: Int, _ position: Int,
      _ memory: UnsafeMutableRawPointer
    ) -> Void

  /// `copied` if no two windows overlap and products are results.
  var placement = Placement.added
  /// Multiplies pixels by columns, which start at a multiple of the panel width.
  var multiply: Multiply
  /// Multiplies a pixel of padding, whose products are subtracted from those of each pixel.
  var multiplyPadding: MultiplyPadding?
  /// Writes the sums of pixels without any product; `nil` for zeros.
  var start: Start?
  /// Converts the sums of the output pixels of adjacent lines, given the position of the first element, with memory for
  /// as many 32-bit values.
  var finish: Finish
  /// The slots that the steps read, and those that they write.
  var reads: [TensorSlot]
  var writes: [TensorSlot]
}

/// The loops of a transposed convolution as one product.
struct ColumnSums<Sum: ColumnSum>: Sendable {
  let image: ColumnsToImage
  let steps: ColumnSteps<Sum>
  let scratch: ColumnsToImage.Scratch
  let panelColumns: Int
  let movement: MovementKernels
  let work: Double

  var stage: PreparedOperator.Stage {
    PreparedOperator.Stage { [self] threads in
      let tiling = image.tiling(threads: threads, work: work)
      return PreparedOperator.Stage(tileCount: tiling.tileCount, work: work) { [self] run, tile in
        let (images, groups) = tile.quotientAndRemainder(dividingBy: tiling.groupTiles)
        let firstImage = images &* tiling.images
        let first = image.groups.lowerBound &+ groups &* tiling.groups
        var lines = Lines(self, run, groups: first..<min(image.groups.upperBound, first &+ tiling.groups))
        lines.process(firstImage..<min(image.batch, firstImage &+ tiling.images), tiling)
      }
    }.touching(reads: steps.reads, writes: steps.writes)
  }

  /// The output lines of a tile, of which those in progress are in a ring of sums.
  private struct Lines {
    private let owner: ColumnSums
    private let image: ColumnsToImage
    private let run: RunContext
    private let groups: Range<Int>
    private let products: UnsafeMutablePointer<Sum>
    private let firstPadding: UnsafeMutablePointer<Sum>
    private var padding: UnsafeMutablePointer<Sum>
    private let sums: UnsafeMutablePointer<Sum>
    private let start: UnsafeMutablePointer<Sum>
    /// Whether not every sum is overwritten.
    private let isStarting: Bool
    private let groupDistance: Int
    private let elements: Int
    /// The number of weights that stay in the core's private cache.
    private static var cachedWeights: Int { 1 << 18 }

    /// The number of finished groups, and the number of those that have sums.
    private var finished = 0
    private var started = 0

    init(_ owner: ColumnSums, _ run: RunContext, groups: Range<Int>) {
      self.owner = owner
      image = owner.image
      self.run = run
      self.groups = groups
      func memory(_ offset: Int) -> UnsafeMutablePointer<Sum> {
        (run.workerScratch + offset).assumingMemoryBound(to: Sum.self)
      }
      let scratch = owner.scratch
      products = memory(scratch.products)
      firstPadding = memory(scratch.padding)
      padding = firstPadding
      sums = memory(scratch.sums)
      start = memory(scratch.start)
      groupDistance = (scratch.start - scratch.sums) / scratch.capacity / MemoryLayout<Sum>.stride
      elements = image.lineElements
      isStarting = owner.steps.placement == .added || !image.coversOutput
      if isStarting, let start = owner.steps.start {
        let channels = image.outputChannels
        start(run, self.start)
        for position in stride(from: channels, to: elements, by: channels) {
          (self.start + position).update(from: self.start, count: channels)
        }
      }
    }

    mutating func process(_ images: Range<Int>, _ tiling: ColumnsToImage.Tiling) {
      let step = image.groupStride, window = image.windowGroups
      // The input lines whose windows reach the groups.
      let first = groups.lowerBound < window ? 0 : (groups.lowerBound &- window) / step &+ 1
      let end = min(image.height.inputSize, (groups.upperBound &- 1) / step &+ 1)
      guard images.count == 1 else {
        // The lines of several images are contiguous, so they are multiplied with all others.
        let lines = image.height.inputSize &* image.width.inputSize
        let columns = windowGroups(0..<image.height.inputSize)
        let range = multiply(images.lowerBound &* lines..<images.upperBound &* lines, columns, images)
        for (number, index) in images.enumerated() {
          begin()
          padding = firstPadding + number &* range.count
          add(
            first..<max(first, end), 0..<image.width.inputSize, columns, range,
            products + ((index &- images.lowerBound) &* image.height.inputSize &+ first) &* image.width.inputSize
              &* range.count)
          advance(to: groups.upperBound, index)
        }
        return
      }
      let index = images.lowerBound
      begin()
      var row = first
      while row < end {
        let rows = row..<min(end, row &+ tiling.rows)
        advance(to: min(groups.upperBound, max(groups.lowerBound, row &* step)), index)
        let all = windowGroups(rows)
        var group = all.lowerBound
        while group < all.upperBound {
          let part = group..<min(all.upperBound, group &+ tiling.windowGroups)
          var pixel = 0
          while pixel < image.width.inputSize {
            let pixels = pixel..<min(image.width.inputSize, pixel &+ tiling.pixels)
            let line = (index &* image.height.inputSize &+ row) &* image.width.inputSize
            let count = (rows.count &- 1) &* image.width.inputSize &+ pixels.count
            let range = multiply(line &+ pixel..<line &+ pixel &+ count, part, index..<index &+ 1)
            add(rows, pixels, part, range, products)
            pixel = pixels.upperBound
          }
          group = part.upperBound
        }
        row = rows.upperBound
      }
      advance(to: groups.upperBound, index)
    }

    /// Returns the window groups of some input lines that reach the groups.
    private func windowGroups(_ rows: Range<Int>) -> Range<Int> {
      let first = max(0, groups.lowerBound &- (rows.upperBound &- 1) &* image.groupStride)
      return first..<max(first, min(image.windowGroups, groups.upperBound &- rows.lowerBound &* image.groupStride))
    }

    /// Multiplies the pixels of images by window groups, and returns the range of columns, which starts at a panel.
    private func multiply(_ pixels: Range<Int>, _ window: Range<Int>, _ images: Range<Int>) -> Range<Int> {
      let panel = owner.panelColumns
      let first = window.lowerBound &* image.runLength / panel &* panel
      let range = first..<max(first, window.upperBound &* image.runLength)
      guard !range.isEmpty, !pixels.isEmpty else { return range }
      guard let multiplyPadding = owner.steps.multiplyPadding else {
        owner.steps.multiply(run, pixels, range, products, range.count)
        return range
      }
      // Weights stay in the cache for the padding.
      let step = max(1, Self.cachedWeights / image.inputChannels / panel) &* panel
      for column in stride(from: range.lowerBound, to: range.upperBound, by: step) {
        let columns = column..<min(range.upperBound, column &+ step), position = column &- range.lowerBound
        owner.steps.multiply(run, pixels, columns, products + position, range.count)
        for (number, index) in images.enumerated() {
          multiplyPadding(run, index, columns, firstPadding + (number &* range.count &+ position))
        }
      }
      return range
    }

    // MARK: Sums in progress

    private mutating func begin() {
      finished = groups.lowerBound
      started = groups.lowerBound
    }

    private func line(_ group: Int) -> UnsafeMutablePointer<Sum> {
      sums + group % owner.scratch.capacity &* groupDistance
    }

    private mutating func startGroups(to end: Int) {
      guard isStarting else {
        started = max(started, end)
        return
      }
      while started < end {
        let line = line(started)
        if owner.steps.start != nil {
          line.update(from: start, count: elements)
        } else {
          UnsafeMutableRawPointer(line).initializeMemory(
            as: UInt8.self, repeating: 0, count: elements &* MemoryLayout<Sum>.stride)
        }
        started &+= 1
      }
    }

    /// Finishes all groups before `end`.
    private mutating func advance(to end: Int, _ index: Int) {
      while finished < end {
        startGroups(to: finished &+ 1)
        finish(finished, index)
        finished &+= 1
      }
    }

    private func finish(_ group: Int, _ index: Int) {
      let height = image.height, width = image.width, channels = image.outputChannels, lines = image.groupLines
      let count = width.outputSize &* channels, distance = lines &* channels
      let memory = run.workerScratch + owner.scratch.lines
      let source = line(group) + width.padding &* distance
      // The lines of the group that are in the output.
      let first = max(0, height.padding &- group &* lines)
      let end = min(lines, height.padding &+ height.outputSize &- group &* lines)
      let position = (index &* height.outputSize &+ group &* lines &+ first &- height.padding) &* count
      guard lines > 1 else {
        return owner.steps.finish(run, index, source, width.outputSize, position, memory)
      }
      let separated = (memory + (owner.scratch.byteCount &- owner.scratch.lines) / 2).assumingMemoryBound(to: Sum.self)
      if channels == 1 {
        let from = UnsafeRawPointer(source + first), to = UnsafeMutableRawPointer(separated)
        if MemoryLayout<Sum>.size == 1 {
          owner.movement.transpose(
            rows: width.outputSize, columns: end &- first, input: from.assumingMemoryBound(to: UInt8.self),
            inputStride: distance, output: to.assumingMemoryBound(to: UInt8.self), outputStride: width.outputSize)
        } else {
          owner.movement.transpose(
            rows: width.outputSize, columns: end &- first, input: from.assumingMemoryBound(to: UInt32.self),
            inputStride: distance, output: to.assumingMemoryBound(to: UInt32.self), outputStride: width.outputSize)
        }
      } else {
        for line in first..<end {
          let from = source + line &* channels, to = separated + (line &- first) &* count
          for column in 0..<width.outputSize {
            let pixel = from + column &* distance, target = to + column &* channels
            for channel in 0..<channels { target[channel] = pixel[channel] }
          }
        }
      }
      owner.steps.finish(run, index, separated, (end &- first) &* width.outputSize, position, memory)
    }

    // MARK: Adding

    /// Adds the products of some pixels of some input lines.
    ///
    /// - Parameters:
    ///   - window: The window groups to add.
    ///   - range: The columns of the products.
    private mutating func add(
      _ rows: Range<Int>, _ pixels: Range<Int>, _ window: Range<Int>, _ range: Range<Int>,
      _ products: UnsafeMutablePointer<Sum>
    ) {
      guard !rows.isEmpty else { return }
      let length = image.runLength, step = image.width.stride &* image.groupLines &* image.outputChannels
      startGroups(
        to: min(groups.upperBound, (rows.upperBound &- 1) &* image.groupStride &+ window.upperBound))
      for row in rows {
        let base = row &* image.groupStride
        let lineProducts = products + (row &- rows.lowerBound) &* image.width.inputSize &* range.count
        let first = max(window.lowerBound, groups.lowerBound &- base)
        let end = min(window.upperBound, groups.upperBound &- base)
        guard first < end else { continue }
        let column = first &* length &- range.lowerBound, slot = (base &+ first) % owner.scratch.capacity
        for pixel in 0..<pixels.count {
          addWindow(
            groups: end &- first, length: length, UnsafePointer(lineProducts + (pixel &* range.count &+ column)),
            padding: UnsafePointer(padding + column), slot: slot, at: (pixels.lowerBound &+ pixel) &* step)
        }
      }
    }

    /// Adds the products of a pixel to groups, the first of which has the sums at `slot`. Consecutive runs don't add to
    /// the same sums, which would have to wait for each other.
    private func addWindow(
      groups: Int, length: Int, _ products: UnsafePointer<Sum>, padding: UnsafePointer<Sum>, slot: Int, at start: Int
    ) {
      let capacity = owner.scratch.capacity, subtracts = owner.steps.multiplyPadding != nil
      let isCopied = owner.steps.placement == .copied
      var slot = slot
      for group in 0..<groups {
        let from = products + group &* length, to = sums + (slot &* groupDistance &+ start)
        if isCopied {
          to.update(from: from, count: length)
        } else {
          Sum.add(length, from, minus: subtracts ? padding + group &* length : nil, to: to)
        }
        slot &+= 1
        if slot == capacity { slot = 0 }
      }
    }
  }
}
