import SwiftletEngine

/// A transposed convolution, split into ordinary convolutions. Output positions whose windows use the same filter
/// elements form a phase, and every phase is a convolution with stride 1 and these elements.
struct TransposedWindow: Sendable, Hashable {
  /// One axis. Input position `i` contributes to the output positions `i · stride − padding + element · dilation`.
  struct Axis: Sendable, Hashable {
    var inputSize: Int
    var outputSize: Int
    var windowSize: Int
    var stride: Int
    var dilation = 1
    var padding: Int

    /// The value for an axis that the images don't have.
    static let single = Axis(inputSize: 1, outputSize: 1, windowSize: 1, stride: 1, padding: 0)

    /// The output positions `first, first + stride, …`.
    struct Phase {
      let first: Int
      let count: Int
      /// The filter elements that contribute to the phase.
      let elements: [Int]
      /// The input position of each element at the first output position. It increases by one per output position.
      let inputs: [Int]

      /// The phase with increasing inputs, the order of summation in the reference.
      var rising: Phase {
        Phase(first: first, count: count, elements: elements.reversed(), inputs: inputs.reversed())
      }
    }

    /// Whether the axis has one position in the image, the window, and the output.
    var isSingle: Bool { inputSize == 1 && outputSize == 1 && windowSize == 1 }

    var phaseCount: Int { min(stride, outputSize) }

    /// Returns the phase of the output positions from `first` on, without filter elements for which no input exists.
    ///
    /// All sizes fit 32 bits and the padding fits the window, so products and sums fit 64 bits.
    func phase(_ first: Int) -> Phase {
      let count = (outputSize - first + stride - 1) / stride
      let shifted = first + padding
      let congruence = Congruence(factor: dilation, modulus: stride)
      guard let lowest = congruence.first(for: shifted), lowest < windowSize else {
        return Phase(first: first, count: count, elements: [], inputs: [])
      }
      // The steps between filter elements of a phase, and between the first inputs of these elements.
      let elementStep = congruence.period, inputStep = dilation * elementStep / stride
      let firstInput = (shifted - lowest * dilation) / stride
      // Input positions decrease: they are `firstInput - step · inputStep`, and must be below the size and above
      // `-count`.
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
  var height: Axis
  var width: Axis
  let inputChannels: Int
  let outputChannels: Int
  /// The distance between the weights of two filter elements, and between those of two output channels.
  let elementStride: Int
  let columnStride: Int

  /// The maximum number of phases, because every phase has its own packed weights.
  private static let maximumPhases = 4096

  /// The same window with the image's only long axis as its width, for images one pixel wide. Their memory layout is the
  /// same, and only phases along the width merge.
  var widened: TransposedWindow {
    var window = self
    if window.width.isSingle { swap(&window.width, &window.height) }
    if window.height.isSingle { swap(&window.height, &window.depth) }
    return window
  }

  /// The numbers of input elements and of phases.
  private var extent: (elements: Int, kinds: Int) {
    (
      Shape([depth.inputSize, height.inputSize, width.inputSize, inputChannels]).elementCount,
      Shape([depth.phaseCount, height.phaseCount, width.phaseCount]).elementCount
    )
  }

  /// Whether input positions fit 32 bits, and there aren't too many phases.
  var isWithinLimits: Bool { extent.elements <= Int(Int32.max) && extent.kinds <= Self.maximumPhases }

  /// The number of multiply-adds in all phases.
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
  /// - Parameter lanes: The number of columns that a product computes at once. In fast numerics, phases along the width
  ///   with fewer columns are merged into one product. This changes the order of summation, and a zero weight times
  ///   infinity isn't zero.
  /// - Throws: An error if there are too many products, or if images are too large.
  func layouts(_ context: PrepareContext, lanes: Int = 1) throws -> [GemmLayout] {
    try widened.phasedLayouts(context, lanes: lanes)
  }

  private func phasedLayouts(_ context: PrepareContext, lanes: Int) throws -> [GemmLayout] {
    guard isWithinLimits else {
      let (elements, kinds) = extent
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
      // Positions without any filter element are a product with a tap of zeros.
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

/// Phases of a transposed convolution that one product computes. Their output positions are adjacent.
///
/// With few output channels, a phase fills only a small part of a vector of columns. Adjacent phases use almost the
/// same inputs, so they become the columns of one product over all these inputs. Inputs that a phase doesn't use have a
/// weight of zero:
///
///     stride 2, window 4     | phase 0 | phase 1 |
///     input i - 1            |   w3    |    0    |
///     input i                |   w1    |   w2    |
///     input i + 1            |    0    |   w0    |
struct TransposedPhases {
  /// The first output position.
  let first: Int
  /// The number of output positions per phase, which are a stride apart.
  let count: Int
  /// The input positions that any phase uses for its first output position.
  let inputs: [Int]
  /// For each phase, the filter element of each input.
  let elements: [[Int?]]

  init(_ phase: TransposedWindow.Axis.Phase) {
    first = phase.first
    count = phase.count
    inputs = phase.inputs
    elements = [phase.elements]
  }

  /// Creates merged phases from phases with the same count and consecutive first output positions.
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
  /// The maximum number of merged weights. Above it, avoiding the zeros isn't worthwhile.
  private static let mostMerged = 1 << 16

  /// Returns all output positions as few products: those of whole strides, and those after the last whole stride.
  ///
  /// Returns `nil` if the columns of separate phases fill vectors equally well.
  ///
  /// - Parameters:
  ///   - columns: The number of output channels.
  ///   - lanes: The number of columns that a product computes at once.
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
