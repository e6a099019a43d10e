import SwiftletEngine

/// A transposed convolution as ordinary ones: output positions whose windows hit the same filter elements form a phase,
/// and every phase is a convolution with stride 1 and those elements.
struct TransposedWindow: Sendable, Hashable {
  /// One axis: an input position `i` adds to the output positions `i · stride − padding + element · dilation`.
  struct Axis: Sendable, Hashable {
    var inputSize: Int
    var outputSize: Int
    var windowSize: Int
    var stride: Int
    var dilation = 1
    var padding: Int

    /// An axis of images that have none.
    static let single = Axis(inputSize: 1, outputSize: 1, windowSize: 1, stride: 1, padding: 0)

    /// The output positions `first, first + stride, …`.
    struct Phase {
      let first: Int
      let count: Int
      /// The filter elements that they see.
      let elements: [Int]
      /// For every element the input position at the first output position; it goes up by one from position to
      /// position.
      let inputs: [Int]

      /// With inputs that rise: the order in which the reference adds.
      var rising: Phase {
        Phase(first: first, count: count, elements: elements.reversed(), inputs: inputs.reversed())
      }
    }

    var phaseCount: Int { min(stride, outputSize) }

    /// Returns the phase of the output positions from `first` on, without filter elements that see no input from any of
    /// them.
    ///
    /// All sizes fit 32 bits and the padding fits the window, so that products and sums fit 64.
    func phase(_ first: Int) -> Phase {
      let count = (outputSize - first + stride - 1) / stride
      let shifted = first + padding
      let congruence = Congruence(factor: dilation, modulus: stride)
      guard let lowest = congruence.first(for: shifted), lowest < windowSize else {
        return Phase(first: first, count: count, elements: [], inputs: [])
      }
      // From element to element of a phase, and from input to input that they see first.
      let elementStep = congruence.period, inputStep = dilation * elementStep / stride
      let firstInput = (shifted - lowest * dilation) / stride
      // Input positions fall: they are `firstInput - step · inputStep`, and must be below the size and above `-count`.
      let excess = firstInput - (inputSize - 1), room = firstInput + count - 1
      guard room >= 0 else { return Phase(first: first, count: count, elements: [], inputs: []) }
      let lower = excess > 0 ? (excess + inputStep - 1) / inputStep : 0
      let upper = min((windowSize - 1 - lowest) / elementStep, room / inputStep) + 1
      let steps = lower < upper ? lower..<upper : 0..<0
      return Phase(
        first: first, count: count, elements: steps.map { lowest + $0 * elementStep },
        inputs: steps.map { firstInput - $0 * inputStep })
    }
  }

  let batch: Int
  var depth = Axis.single
  let height: Axis
  let width: Axis
  let inputChannels: Int
  let outputChannels: Int
  /// Weights from one filter element, and from one output channel, to the next.
  let elementStride: Int
  let columnStride: Int

  /// Every phase has packed weights of its own.
  private static let maximumPhases = 4096

  /// Multiplications and additions of all phases.
  var multiplyAdds: Int {
    [depth, height, width].reduce(batch &* inputChannels &* outputChannels) { product, axis in
      product
        &* (0..<axis.phaseCount).reduce(0) { sum, first in
          let phase = axis.phase(first)
          return sum &+ phase.count &* max(1, phase.elements.count)
        }
    }
  }

  /// Returns the products of all phases.
  ///
  /// - Parameter lanes: Columns that a product computes at once. Phases along the width whose columns are fewer become
  ///   one product, in fast numerics: sums are in another order then, and a weight of zero times infinity is not zero.
  /// - Throws: when there are too many of them, or images are too large.
  func layouts(_ context: PrepareContext, lanes: Int = 1) throws -> [GemmLayout] {
    let elements = Shape([depth.inputSize, height.inputSize, width.inputSize, inputChannels]).elementCount
    let kinds = Shape([depth.phaseCount, height.phaseCount, width.phaseCount]).elementCount
    guard elements <= Int(Int32.max), kinds <= Self.maximumPhases else {
      throw RuntimeError(
        .limitExceeded,
        "has images of \(elements) elements and \(kinds) kinds of windows; \(Int32.max) and \(Self.maximumPhases) are the most",
        location: context.node.node.location)
    }
    try GemmLayout.require(
      places: Shape([batch, depth.outputSize, height.outputSize, width.phaseCount]).elementCount, context)
    let isExact = context.options.numerics == .bitExact
    func phases(_ axis: Axis) -> [Axis.Phase] {
      (0..<axis.phaseCount).map { isExact ? axis.phase($0).rising : axis.phase($0) }
    }
    let columns = phases(width), down = phases(height)
    let merged = isExact ? nil : width.merged(columns, columns: outputChannels, lanes: lanes)
    let across = merged ?? columns.map { TransposedPhases($0) }
    return try phases(depth).flatMap { plane in
      try down.flatMap { line in try across.map { try layout(context, plane, line, $0) } }
    }
  }

  private func layout(
    _ context: PrepareContext, _ plane: Axis.Phase, _ down: Axis.Phase, _ across: TransposedPhases
  ) throws -> GemmLayout {
    let repetitions = across.elements.count
    try context.requireTable(
      elements: [plane.elements.count, down.elements.count, across.inputs.count, repetitions], of: Int.self)
    let taps = plane.elements.count * down.elements.count * across.inputs.count
    let positions = across.elements.flatMap { columns in
      // Positions that no filter element reaches are a product with a tap of zeros.
      taps == 0
        ? [-1]
        : plane.elements.flatMap { slice in
          down.elements.flatMap { row in
            columns.map { column in
              column.map { ((slice * height.windowSize + row) * width.windowSize + $0) * elementStride } ?? -1
            }
          }
        }
    }
    var layout = GemmLayout(
      rows: across.count, columns: repetitions * outputChannels, taps: max(1, taps), tapDepth: inputChannels,
      outputDistance: width.stride * outputChannels,
      weights: .init(columnStride: columnStride, tapPositions: positions, repetitions: repetitions))
    let isSingle =
      taps == 1 && isInside(plane.inputs, plane.count, depth) && isInside(down.inputs, down.count, height)
      && isInside(across.inputs, across.count, width)
    if isSingle {
      layout.inputDistance = inputChannels
    } else {
      layout.windows = table(context, plane, down, across)
    }
    let imageElementCount = depth.inputSize * height.inputSize * width.inputSize * inputChannels
    layout.places = (0..<batch).flatMap { image in
      (0..<plane.count).flatMap { slice in
        (0..<down.count).map { line in
          let outputSlice = image * depth.outputSize + plane.first + slice * depth.stride
          let outputRow = outputSlice * height.outputSize + down.first + line * height.stride
          var start = 0
          if isSingle {
            let inputRow = (plane.inputs[0] + slice) * height.inputSize + down.inputs[0] + line
            start = (inputRow * width.inputSize + across.inputs[0]) * inputChannels
          }
          return GemmLayout.Place(
            input: image * imageElementCount + start, weights: 0,
            output: (outputRow * width.outputSize + across.first) * outputChannels,
            firstWindow: (slice * down.count + line) * across.count, slice: image)
        }
      }
    }
    return layout
  }

  /// Returns whether all input positions of a phase exist.
  private func isInside(_ inputs: [Int], _ count: Int, _ axis: Axis) -> Bool {
    inputs.allSatisfy { $0 >= 0 && $0 + count <= axis.inputSize }
  }

  private func table(_ context: PrepareContext, _ plane: Axis.Phase, _ down: Axis.Phase, _ across: TransposedPhases)
    -> IndirectionBuffer
  {
    let depth = depth, height = height, width = width, channels = inputChannels
    let taps = plane.inputs.count * down.inputs.count * across.inputs.count
    return IndirectionBuffer(
      context, rows: plane.count * down.count * across.count, taps: max(1, taps), readsPadding: true
    ) {
      first, end, positions in
      var next = positions
      for pixel in first..<end {
        if taps == 0 {
          next.pointee = -1
          next += 1
        }
        let line = pixel / across.count
        for slice in plane.inputs {
          let z = slice &+ line / down.count
          for row in down.inputs {
            let y = row &+ line % down.count
            for column in across.inputs {
              let x = column &+ pixel % across.count
              let isInside =
                z >= 0 && z < depth.inputSize && y >= 0 && y < height.inputSize && x >= 0 && x < width.inputSize
              let position = ((z &* height.inputSize &+ y) &* width.inputSize &+ x) &* channels
              next.pointee = isInside ? Int32(truncatingIfNeeded: position) : -1
              next += 1
            }
          }
        }
      }
    }
  }
}

/// Phases of a transposed convolution that one product computes: their output positions lie side by side.
///
/// With few output channels a phase fills a small part of a vector of columns. Neighboring phases see almost the same
/// inputs, so that they become the columns of one product over all of these; what a phase does not see has a weight of
/// zero:
///
///     stride 2, window 4     | phase 0 | phase 1 |
///     input i - 1            |   w3    |    0    |
///     input i                |   w1    |   w2    |
///     input i + 1            |    0    |   w0    |
struct TransposedPhases {
  /// The first output position.
  let first: Int
  /// Output positions of each phase; they are a stride apart.
  let count: Int
  /// The input positions that some phase sees from its first output position.
  let inputs: [Int]
  /// For every phase the filter element that each of the inputs has.
  let elements: [[Int?]]

  init(_ phase: TransposedWindow.Axis.Phase) {
    first = phase.first
    count = phase.count
    inputs = phase.inputs
    elements = [phase.elements]
  }

  /// Phases of the same count whose first output positions follow each other.
  fileprivate init(_ phases: [TransposedWindow.Axis.Phase], first: Int, count: Int, moved: Int) {
    self.first = first
    self.count = count
    let seen = Set(phases.flatMap(\.inputs)).sorted()
    inputs = seen.map { $0 + moved }
    elements = phases.map { phase in
      let elements = Dictionary(zip(phase.inputs, phase.elements)) { first, _ in first }
      return seen.map { elements[$0] }
    }
  }
}

extension TransposedWindow.Axis {
  /// More weights than this are not worth finding zeros among.
  private static let mostMerged = 1 << 16

  /// Returns all output positions as few products: those of whole strides, and those behind the last of these.
  ///
  /// `nil` if columns of the phases alone fill vectors as well.
  ///
  /// - Parameters:
  ///   - columns: Output channels.
  ///   - lanes: Columns that a product computes at once.
  func merged(_ phases: [Phase], columns: Int, lanes: Int) -> [TransposedPhases]? {
    let seen = phases.reduce(0) { $0 + $1.inputs.count }
    guard phases.count > 1, columns <= lanes, seen > 0, seen <= Self.mostMerged / phases.count else { return nil }
    let inputs = Set(phases.flatMap(\.inputs)).count
    let vectors = (phases.count * columns + lanes - 1) / lanes
    guard inputs * vectors <= seen else { return nil }
    let whole = outputSize / stride, rest = outputSize % stride
    return (whole > 0 ? [TransposedPhases(phases, first: 0, count: whole, moved: 0)] : [])
      + (rest > 0 ? [TransposedPhases(Array(phases[..<rest]), first: whole * stride, count: 1, moved: whole)] : [])
  }
}
