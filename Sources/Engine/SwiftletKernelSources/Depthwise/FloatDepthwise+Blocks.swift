import SwiftletKernels

// Loads of vectors that cross a cache line take two cycles, and a product takes one. Every loaded input therefore serves
// several rows of outputs.

/// Blocks of up to four rows by four columns of outputs, in 16 of 32 registers, or of two rows in 8 of 16 registers.
///
/// The tap rows of a window column are added three or two at a time, with their weights in registers. An input is loaded
/// once for all output rows of the block, which are as far apart as the tap rows, or twice as far:
///
///     input row   0    1    2    3    4    5         output row
///     tap row     0    1    2                        0
///                      0    1    2                   1
///                           0    1    2              2
///                                0    1    2         3
extension FloatDepthwise {
  /// The maximum number of output rows of a block.
  @inline(__always) private static var blockRows: Int { V.lanes == 16 ? 4 : 2 }

  /// Loads a vector of `count` channels. AVX2 kernels compute blocks of full vectors only, the last of which overlaps the one before it if necessary.
  @inline(__always)
  private static func load(_ count: Int, _ pointer: UnsafeRawPointer) -> V.F {
    V.lanes == 16 ? V.loadFirst(count, pointer) : V.load(pointer)
  }

  /// Computes output rows `first ..< last`. AVX2 kernels need at least a vector of channels, and no groups of pixels.
  @inline(__always)
  func computeBlocks(_ first: Int, _ last: Int) {
    let g = geometry
    // Tap rows from one output row of a block to the next, which are `distance` apart; 0 if they share no input rows.
    var shift = 0, distance = 1
    if g.rowStride == g.rowDilation {
      shift = 1
    } else if g.rowStride <= 2 {
      (shift, distance) = (g.rowStride, g.rowDilation)
    } else if g.rowStride == 2 &* g.rowDilation {
      shift = 2
    }
    if shift >= g.kernelHeight { (shift, distance) = (0, 1) }
    let extent = (g.kernelHeight &- 1 &+ (Self.blockRows &- 1) &* shift) &* g.rowDilation
    var start = first
    while start < last {
      let end = min(last, start &+ Self.blockRows &* distance)
      var residue = start
      while residue < min(end, start &+ distance) {
        var row = residue
        while row < end {
          var count = 1
          while count < Self.blockRows && row &+ count &* distance < end { count &+= 1 }
          if shift > 0 && count == 3 && row &- distance >= first {
            // Repeating an output row takes less time than two blocks.
            row &-= distance
            count = 4
          }
          let top = row &* g.rowStride &- g.paddingTop
          let isInside = top >= 0 && top &+ extent < g.inputHeight
          if V.lanes < 16 {
            if shift == 1 && count == 2 {
              computeRows(row, distance, Form(height: 2, shift: 1, gathers: 0))
            } else if shift == 2 && count == 2 && isInside {
              computeRows(row, distance, Form(height: 2, shift: 2, gathers: 0))
            } else {
              count = 1
              computeRows(row, distance, Form(height: 1, shift: 0, gathers: 0))
            }
          } else if g.gatheredVectors == 0 {
            if shift == 1 && count == 4 {
              computeRows(row, distance, Form(height: 4, shift: 1, gathers: 0))
            } else if shift == 1 && count >= 2 {
              count = 2
              computeRows(row, distance, Form(height: 2, shift: 1, gathers: 0))
            } else if shift == 2 && count == 4 && isInside {
              computeRows(row, distance, Form(height: 4, shift: 2, gathers: 0))
            } else {
              computeRows(row, distance, Form(height: count, shift: 0, gathers: 0))
            }
          } else if g.gatheredVectors == 1 {
            if shift == 1 && count == 4 {
              computeRows(row, distance, Form(height: 4, shift: 1, gathers: 1))
            } else {
              computeRows(row, distance, Form(height: count, shift: 0, gathers: 1))
            }
          } else {
            computeRows(row, distance, Form(height: count, shift: 0, gathers: 2))
          }
          row &+= count &* distance
        }
        residue &+= 1
      }
      start = end
    }
  }

  /// How a block is computed. All are constants, except the height without shared rows.
  private struct Form {
    /// The number of output rows, and of columns.
    let height: Int
    var width = 4
    /// The number of vectors of channels. Two columns of two vectors take the place of four columns.
    var vectors = 1
    /// The number of tap rows from one output row to the next, or 0 if they share no input rows.
    let shift: Int
    /// The number of vectors of inputs from which a vector is gathered, or 0 if lanes read consecutive inputs.
    let gathers: Int

    /// The number of sums of a row.
    var sums: Int { width &* vectors }

    /// Whether the block is that of `addSquare`.
    var isSquare: Bool { height == 4 && width == 4 && shift == 1 && gathers == 0 }
  }

  /// Computes output rows that are `distance` apart.
  @inline(__always)
  private func computeRows(_ row: Int, _ distance: Int, _ form: Form) {
    let g = geometry
    let pixel = g.inputPixelStride &* 4, line = g.inputWidth &* pixel
    let top = row &* g.rowStride &- g.paddingTop
    let lines = UnsafeMutableRawPointer(rows).assumingMemoryBound(to: UnsafeRawPointer?.self)
    // Without shared rows, those of four outputs one after another.
    let count = form.shift > 0 ? g.kernelHeight &+ (form.height &- 1) &* form.shift : g.kernelHeight
    var member = 0
    while member < (form.shift > 0 || V.lanes < 16 ? 1 : 4) {
      let outputTop = member < form.height ? top &+ member &* distance &* g.rowStride : g.inputHeight
      var index = 0
      while index < count {
        let position = outputTop &+ index &* g.rowDilation
        lines[member &* count &+ index] = position >= 0 && position < g.inputHeight ? input + position &* line : nil
        index &+= 1
      }
      member &+= 1
    }
    let outputPixel = g.outputPixelStride &* 4, outputPitch = distance &* g.outputWidth &* outputPixel
    let (inner, innerEnd) = innerColumns()
    let pixels = g.pixels, gathered = form.gathers > 0 ? repeated : nil
    // The repeated filter follows the indices of inputs.
    let filters = (repeated ?? weights) + (form.gathers > 0 ? (pixels &* g.channels &* 4 &+ 63) & ~63 : 0)
    let target = output + row &* g.outputWidth &* outputPixel
    var column = 0
    while column < g.outputWidth {
      var start = column, width = 1, isGroup = false
      if column >= inner && column < innerEnd {
        if column &+ 4 &* pixels <= innerEnd {
          width = 4
        } else if innerEnd &- column > 2 &* pixels && innerEnd &- 4 &* pixels >= inner {
          // The last blocks of a row overlap others if necessary, and repeat some outputs.
          start = innerEnd &- 4 &* pixels
          width = 4
        } else if innerEnd &- column < pixels && innerEnd &- pixels >= inner && pixels > 1 {
          start = innerEnd &- pixels
        }
        isGroup = start &+ pixels <= innerEnd
      }
      let left = start &* g.columnStride &- g.paddingLeft
      var tap = 0, tapEnd = g.kernelWidth
      if column < inner || column >= innerEnd {
        (tap, tapEnd) = DepthwiseGeometry.taps(
          g.kernelWidth, from: left, dilation: g.columnDilation, size: g.inputWidth)
      }
      let repeats = isGroup && pixels > 1
      let channels = repeats ? pixels &* g.channels : g.channels
      let tapStride = (repeats ? channels : g.tapStride) &* 4
      let filter = repeats ? filters + tapStride : weights
      let block = Block(
        lines: lines, offset: (left &+ tap &* g.columnDilation) &* pixel, step: pixels &* g.columnStride &* pixel,
        tapStep: g.columnDilation &* pixel,
        weights: filter + tap &* tapStride, tapStride: tapStride, tapPitch: g.kernelWidth &* tapStride,
        bias: repeats ? filters : bias, gathered: gathered, channels: channels, taps: tapEnd &- tap,
        tapRows: g.kernelHeight,
        output: target + start &* outputPixel, outputStep: pixels &* outputPixel, outputPitch: outputPitch,
        lower: lower, upper: upper)
      if width == 4 {
        block.compute(form)
        column = start &+ 4 &* pixels
      } else {
        block.compute(Form(height: form.height, width: 1, shift: form.shift, gathers: form.gathers))
        column = start &+ (isGroup ? pixels : 1)
      }
    }
  }

  /// The outputs of a block. Distances are in bytes.
  private struct Block {
    /// The image rows of the block, `nil` if outside the image, in the form in which the compiler cannot keep the pointer
    /// of every load in a register.
    let lines: UnsafePointer<UnsafeRawPointer?>
    /// From the start of an image row to the first input.
    let offset: Int
    /// From one output's input to the next output's.
    let step: Int
    let tapStep: Int
    let weights: UnsafeRawPointer
    let tapStride: Int
    let tapPitch: Int
    let bias: UnsafeRawPointer?
    /// The indices of the inputs of the channels, if they are not consecutive.
    let gathered: UnsafeRawPointer?
    let channels: Int
    let taps: Int
    let tapRows: Int
    let output: UnsafeMutableRawPointer
    let outputStep: Int
    let outputPitch: Int
    let lower: Float
    let upper: Float

    /// Whether columns are in few sets of the L1 cache. The other lines of a block would then replace a line in the cache
    /// before a second vector reads its other half.
    @inline(__always) private var columnsShareSets: Bool { step & 2047 == 0 }

    /// Computes all channels of the outputs.
    @inline(__always)
    func compute(_ form: Form) {
      var channel = 0
      if V.lanes < 16 {
        // For single columns, two vectors halve the work that is not products.
        let width = min(form.width, 2)
        while form.width == 1 || columnsShareSets, channel &+ 2 &* V.lanes <= channels {
          var column = 0
          while column < form.width {
            compute(
              V.lanes, channel &* 4, column: column,
              Form(height: form.height, width: width, vectors: 2, shift: form.shift, gathers: 0))
            column &+= width
          }
          channel &+= 2 &* V.lanes
        }
      }
      while channel < channels {
        let first = V.lanes == 16 ? channel : min(channel, channels &- V.lanes)
        compute(min(V.lanes, channels &- first), first &* 4, column: 0, form)
        channel &+= V.lanes
      }
    }

    @inline(__always)
    private func compute(_ count: Int, _ start: Int, column: Int, _ form: Form) {
      var initial = VectorPair(V.F(), V.F())
      if let bias { initial = VectorPair(count, bias + start, form) }
      var sums = Sums(initial)
      let lanes = Lanes(count, gathered.map { $0 + start }, form)
      var offset = offset &+ column &* step &+ (form.gathers > 0 ? lanes.first &* 4 : start)
      var weights = weights + start
      var tap = 0
      if form.isSquare && tapRows == 3 && taps == 3 && step == tapStep {
        addSquare(count, offset, weights, &sums)
        tap = 3
      }
      while tap < taps {
        if form.shift > 0 {
          addColumn(lanes, offset, weights, &sums, form)
        } else {
          addUnsharedColumn(lanes, offset, weights, &sums, form)
        }
        offset &+= tapStep
        weights += tapStride
        tap &+= 1
      }
      let target = column &* outputStep &+ start
      store(sums.a, count, target, form)
      if form.height > 1 { store(sums.b, count, target &+ outputPitch, form) }
      if form.height > 2 { store(sums.c, count, target &+ 2 &* outputPitch, form) }
      if form.height > 3 { store(sums.d, count, target &+ 3 &* outputPitch, form) }
    }

    /// Adds a column of taps.
    @inline(__always)
    private func addColumn(
      _ lanes: Lanes, _ offset: Int, _ weights: UnsafeRawPointer, _ sums: inout Sums, _ form: Form
    ) {
      var lines = lines, w = weights, rest = tapRows
      while rest == 3 || rest > 4 {
        add(3, lanes, lines, offset, w, &sums, form)
        lines += 3
        w += 3 &* tapPitch
        rest &-= 3
      }
      while rest >= 2 {
        add(2, lanes, lines, offset, w, &sums, form)
        lines += 2
        w += 2 &* tapPitch
        rest &-= 2
      }
      if rest > 0 { add(1, lanes, lines, offset, w, &sums, form) }
    }

    /// Adds the taps of 3×3 windows, with all weights in registers. An input is loaded once for all outputs.
    @inline(__always)
    private func addSquare(_ count: Int, _ offset: Int, _ weights: UnsafeRawPointer, _ sums: inout Sums) {
      let w = (
        WeightColumn(count, weights, tapPitch), WeightColumn(count, weights + tapStride, tapPitch),
        WeightColumn(count, weights + 2 &* tapStride, tapPitch)
      )
      var offset = offset
      addInputs(0, count, offset, w, &sums)
      offset &+= step
      addInputs(1, count, offset, w, &sums)
      offset &+= step
      addInputs(2, count, offset, w, &sums)
      offset &+= step
      addInputs(3, count, offset, w, &sums)
      offset &+= step
      addInputs(4, count, offset, w, &sums)
      offset &+= step
      addInputs(5, count, offset, w, &sums)
    }

    private typealias Weights = (WeightColumn, WeightColumn, WeightColumn)

    /// Adds a column of inputs of 3×3 windows.
    @inline(__always)
    private func addInputs(_ column: Int, _ count: Int, _ offset: Int, _ w: Weights, _ sums: inout Sums) {
      if let line = lines[0] { sums.add(0, column, FloatDepthwise.load(count, line + offset), w) }
      if let line = lines[1] { sums.add(1, column, FloatDepthwise.load(count, line + offset), w) }
      if let line = lines[2] { sums.add(2, column, FloatDepthwise.load(count, line + offset), w) }
      if let line = lines[3] { sums.add(3, column, FloatDepthwise.load(count, line + offset), w) }
      if let line = lines[4] { sums.add(4, column, FloatDepthwise.load(count, line + offset), w) }
      if let line = lines[5] { sums.add(5, column, FloatDepthwise.load(count, line + offset), w) }
    }

    /// Adds a column of taps of output rows that share only weights.
    @inline(__always)
    private func addUnsharedColumn(
      _ lanes: Lanes, _ offset: Int, _ weights: UnsafeRawPointer, _ sums: inout Sums, _ form: Form
    ) {
      var lines = lines, w = weights, tap = 0
      while tap < tapRows {
        let weight = VectorPair(lanes.count, w, form)
        if let line = lines[0] { sums.a.add(line + offset, step, weight, lanes, form) }
        if V.lanes == 16 {
          if let line = lines[tapRows] { sums.b.add(line + offset, step, weight, lanes, form) }
          if let line = lines[2 &* tapRows] { sums.c.add(line + offset, step, weight, lanes, form) }
          if let line = lines[3 &* tapRows] { sums.d.add(line + offset, step, weight, lanes, form) }
        }
        lines += 1
        w += tapPitch
        tap &+= 1
      }
    }

    /// Adds `rows` tap rows of a column, with inputs at `offset` and weights from `w` on. `rows` is a constant.
    @inline(__always)
    private func add(
      _ rows: Int, _ lanes: Lanes, _ lines: UnsafePointer<UnsafeRawPointer?>, _ offset: Int, _ w: UnsafeRawPointer,
      _ sums: inout Sums, _ form: Form
    ) {
      let w0 = VectorPair(lanes.count, w, form)
      let w1 = rows > 1 ? VectorPair(lanes.count, w + tapPitch, form) : w0
      let w2 = rows > 2 ? VectorPair(lanes.count, w + 2 &* tapPitch, form) : w0
      let lineCount = rows &+ (form.height &- 1) &* form.shift
      addLine(0, rows, lanes, lines[0], offset, w0, w1, w2, &sums, form)
      guard lineCount > 1 else { return }
      addLine(1, rows, lanes, lines[1], offset, w0, w1, w2, &sums, form)
      guard lineCount > 2 else { return }
      addLine(2, rows, lanes, lines[2], offset, w0, w1, w2, &sums, form)
      guard lineCount > 3 else { return }
      addLine(3, rows, lanes, lines[3], offset, w0, w1, w2, &sums, form)
      guard lineCount > 4 else { return }
      addLine(4, rows, lanes, lines[4], offset, w0, w1, w2, &sums, form)
      guard lineCount > 5 else { return }
      addLine(5, rows, lanes, lines[5], offset, w0, w1, w2, &sums, form)
      guard lineCount > 6 else { return }
      addLine(6, rows, lanes, lines[6], offset, w0, w1, w2, &sums, form)
      guard lineCount > 7 else { return }
      addLine(7, rows, lanes, lines[7], offset, w0, w1, w2, &sums, form)
      guard lineCount > 8 else { return }
      addLine(8, rows, lanes, lines[8], offset, w0, w1, w2, &sums, form)
    }

    /// Adds an input row of a block, the products of which are part of up to four output rows.
    @inline(__always)
    private func addLine(
      _ row: Int, _ rows: Int, _ lanes: Lanes, _ line: UnsafeRawPointer?, _ offset: Int, _ w0: VectorPair,
      _ w1: VectorPair, _ w2: VectorPair, _ sums: inout Sums, _ form: Form
    ) {
      // Blocks with a shift of 2 are inside the image.
      guard let line = form.shift == 1 ? line : line.unsafelyUnwrapped else { return }
      let x = Inputs(line + offset, step, lanes, form)
      let second = row &- form.shift, third = second &- form.shift, fourth = third &- form.shift
      if row < rows { sums.a.add(x, row == 0 ? w0 : row == 1 ? w1 : w2, form) }
      if form.height > 1 && second >= 0 && second < rows {
        sums.b.add(x, second == 0 ? w0 : second == 1 ? w1 : w2, form)
      }
      if form.height > 2 && third >= 0 && third < rows {
        sums.c.add(x, third == 0 ? w0 : third == 1 ? w1 : w2, form)
      }
      if form.height > 3 && fourth >= 0 && fourth < rows {
        sums.d.add(x, fourth == 0 ? w0 : fourth == 1 ? w1 : w2, form)
      }
    }

    @inline(__always)
    private func store(_ row: Row, _ count: Int, _ start: Int, _ form: Form) {
      let low = V.splat(lower), high = V.splat(upper), target = output + start
      @inline(__always) func store(_ sum: V.F, _ index: Int) {
        let pointer = target + (index / form.vectors &* outputStep &+ index % form.vectors &* V.vectorBytes)
        if V.lanes == 16 {
          V.storeFirst(count, V.clamp(sum, low, high), pointer)
        } else {
          V.store(V.clamp(sum, low, high), pointer)
        }
      }
      store(row.s0, 0)
      guard form.sums > 1 else { return }
      store(row.s1, 1)
      guard form.sums == 4 else { return }
      store(row.s2, 2)
      store(row.s3, 3)
    }
  }

  /// The lanes of a vector, and the inputs that they read.
  private struct Lanes {
    let count: Int
    /// The index of the first input, and the numbers of inputs in one or two vectors.
    let first: Int
    private let inputs: (Int, Int)
    /// The input of each lane, from the first on.
    private let order: V.I

    @inline(__always)
    init(_ count: Int, _ gathered: UnsafeRawPointer?, _ form: Form) {
      self.count = count
      guard let gathered, form.gathers > 0 else {
        (first, inputs, order) = (0, (0, 0), V.I())
        return
      }
      first = Int(gathered.loadUnaligned(as: Int32.self))
      let span = Int((gathered + (count &- 1) &* 4).loadUnaligned(as: Int32.self)) &- first &+ 1
      inputs = (min(span, V.lanes), max(0, span &- V.lanes))
      order = V.loadFirstInts(count, gathered) &- V.splat(Int32(truncatingIfNeeded: first))
    }

    /// Loads a vector of inputs.
    @inline(__always)
    func load(_ x: UnsafeRawPointer, _ form: Form) -> V.F {
      guard form.gathers > 0 else { return FloatDepthwise.load(count, x) }
      let a = V.loadFirst(inputs.0, x)
      guard form.gathers > 1 else { return V.selected(order, a) }
      return V.selected(order, a, V.loadFirst(inputs.1, x + V.vectorBytes))
    }
  }

  /// The bias or the weights of one or two vectors of channels. Without a second vector, both are equal.
  private struct VectorPair {
    let first: V.F
    let second: V.F

    @inline(__always)
    init(_ first: V.F, _ second: V.F) { (self.first, self.second) = (first, second) }

    /// Loads vectors of `count` channels.
    @inline(__always)
    init(_ count: Int, _ pointer: UnsafeRawPointer, _ form: Form) {
      first = FloatDepthwise.load(count, pointer)
      second = form.vectors == 2 ? FloatDepthwise.load(count, pointer + V.vectorBytes) : first
    }
  }

  /// The inputs of a row of outputs: those of each column, in one or two vectors.
  private struct Inputs {
    let x0: V.F
    let x1: V.F
    let x2: V.F
    let x3: V.F

    @inline(__always)
    init(_ x: UnsafeRawPointer, _ step: Int, _ lanes: Lanes, _ form: Form) {
      @inline(__always) func input(_ index: Int) -> V.F {
        lanes.load(x + (index / form.vectors &* step &+ index % form.vectors &* V.vectorBytes), form)
      }
      x0 = input(0)
      x1 = form.sums > 1 ? input(1) : x0
      x2 = form.sums > 2 ? input(2) : x0
      x3 = form.sums > 2 ? input(3) : x0
    }
  }

  /// Sums of a row of outputs.
  private struct Row {
    var s0: V.F
    var s1: V.F
    var s2: V.F
    var s3: V.F

    @inline(__always)
    init(_ start: VectorPair) { (s0, s1, s2, s3) = (start.first, start.second, start.first, start.second) }

    @inline(__always)
    mutating func add(_ x: UnsafeRawPointer, _ step: Int, _ weight: VectorPair, _ lanes: Lanes, _ form: Form) {
      add(Inputs(x, step, lanes, form), weight, form)
    }

    /// Adds the products of an input with the weights of a tap row. The tap row and the column are constants.
    @inline(__always)
    mutating func add(_ tap: Int, _ column: Int, _ x: V.F, _ w: (WeightColumn, WeightColumn, WeightColumn)) {
      @inline(__always) func weight(_ column: Int) -> V.F {
        let weights = column == 0 ? w.0 : column == 1 ? w.1 : w.2
        return tap == 0 ? weights.w0 : tap == 1 ? weights.w1 : weights.w2
      }
      if column < 3 { s0 = V.multiplyAdd(x, weight(column), s0) }
      if column > 0 && column < 4 { s1 = V.multiplyAdd(x, weight(column &- 1), s1) }
      if column > 1 && column < 5 { s2 = V.multiplyAdd(x, weight(column &- 2), s2) }
      if column > 2 { s3 = V.multiplyAdd(x, weight(column &- 3), s3) }
    }

    @inline(__always)
    mutating func add(_ x: Inputs, _ weight: VectorPair, _ form: Form) {
      s0 = V.multiplyAdd(x.x0, weight.first, s0)
      guard form.sums > 1 else { return }
      s1 = V.multiplyAdd(x.x1, weight.second, s1)
      guard form.sums == 4 else { return }
      s2 = V.multiplyAdd(x.x2, weight.first, s2)
      s3 = V.multiplyAdd(x.x3, weight.second, s3)
    }
  }

  /// The weights of a column of a 3×3 window.
  private struct WeightColumn {
    let w0: V.F
    let w1: V.F
    let w2: V.F

    @inline(__always)
    init(_ count: Int, _ weights: UnsafeRawPointer, _ pitch: Int) {
      w0 = V.loadFirst(count, weights)
      w1 = V.loadFirst(count, weights + pitch)
      w2 = V.loadFirst(count, weights + 2 &* pitch)
    }
  }

  /// Sums of a block.
  private struct Sums {
    var a: Row
    var b: Row
    var c: Row
    var d: Row

    @inline(__always)
    init(_ start: VectorPair) {
      a = Row(start)
      b = a
      c = a
      d = a
    }

    /// Adds the products of an input of 3×3 windows. The line and the column in the block are constants.
    @inline(__always)
    mutating func add(_ line: Int, _ column: Int, _ x: V.F, _ w: (WeightColumn, WeightColumn, WeightColumn)) {
      if line < 3 { a.add(line, column, x, w) }
      if line > 0 && line < 4 { b.add(line &- 1, column, x, w) }
      if line > 1 && line < 5 { c.add(line &- 2, column, x, w) }
      if line > 2 { d.add(line &- 3, column, x, w) }
    }
  }
}
