import SwiftletBase
import SwiftletEngine
import SwiftletSchema

/// LSH_PROJECTION: a signature of features. Similar features have similar signatures.
///
/// A bit is 1 if a sum over the features is positive. Each term is the signed fingerprint of the bit's seed and the
/// feature's bytes, times the feature's weight.
///
/// - Shapes: seeds `[signatures, bits]` of at most 32 bits; features `[n, …]`; weights `[n]`, 1 if omitted. Output
///   `[signatures]`, the number formed by the bits, plus `i · 2^bits` for signature `i`; in the dense form `[signatures
///   · bits]`, single bits.
/// - Types: seeds and weights float32; features of whole bytes, or strings in the model format's encoding; output
///   int32.
/// - Throws: `invalidModel` in a run if sizes don't match, and `limitExceeded` if all seeds times all features exceed
///   the work limit of the run.
/// - Source: operator 15 of the model format.
struct LSHProjectionOperator: ControlOperator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .lshProjection, versions: 1...1, types: .one(.float32, .plain.union(.string), .float32, to: .int32))
  }

  private let isDense: Bool

  /// The overhead per feature, as an equivalent number of bytes.
  private static let bytesPerFeature = 32
  /// The time to hash a byte in nanoseconds.
  private static let workPerByte = 0.5
  /// The approximate number of bytes hashed between two budget checks.
  private static let bytesPerLook = 1 << 20

  init(parsing node: NodeReader) throws {
    try node.require(inputs: 2...3)
    let code = try node.options.code(of: LSHProjectionOptions.type)
    guard let kind = LSHProjectionKind(rawValue: code), kind != .unknown else {
      throw node.invalid("the type of the projection must be sparse (1) or dense (2), got \(code)")
    }
    isDense = kind == .dense
  }

  func evaluate(_ call: ControlCall) throws -> [TensorView] {
    let arguments = try call.arguments()
    let seeds = arguments[0].spec, features = arguments[1].spec
    guard seeds.shape.rank == 2, seeds.shape[1] <= 32 else {
      throw call.invalid("takes seeds of rank 2 for at most 32 bits, got \(seeds)")
    }
    guard features.shape.rank >= 1, features.shape[0] >= 1 else {
      throw call.invalid("takes one feature or more, got \(features)")
    }
    let count = features.shape[0], bits = seeds.shape[1]
    if arguments.count > 2, arguments[2].spec.shape != [count] {
      throw call.invalid("takes a weight for each feature of \(features), got \(arguments[2].spec)")
    }
    try call.limits.check(
      TensorSpec(
        name: call.outputs[0].name, elementType: .int32, shape: isDense ? [seeds.shape.elementCount] : [seeds.shape[0]]),
      "output", at: call.location)
    let weights = arguments.count > 2 ? arguments[2].memory.assumingMemoryBound(to: Float.self) : nil
    let bytes = try bytes(of: arguments[1], call)
    let signs = try signs(arguments[0].memory.assumingMemoryBound(to: Float.self), bytes, count: count, call) {
      weights?[$0] ?? 1
    }
    let results =
      isDense
      ? signs.map { $0 ? 1 : 0 }
      : (0..<seeds.shape[0]).map { signature in
        signs[signature * bits..<(signature + 1) * bits].reduce(0 as Int32) { $0 << 1 | ($1 ? 1 : 0) }
          &+ Int32(truncatingIfNeeded: signature) &* (1 &<< Int32(bits))
      }
    return [try call.result(0, shape: [results.count], results)]
  }

  /// Returns the bytes to hash, the same number per feature.
  private func bytes(of features: TensorView, _ call: ControlCall) throws -> [UInt8] {
    guard features.spec.elementType == .string else { return [UInt8](features.memory) }
    return try Tensor.payload(try call.strings(features))
  }

  private func signs(
    _ seeds: UnsafeMutableBufferPointer<Float>, _ features: [UInt8], count: Int, _ call: ControlCall,
    _ weight: (Int) -> Float
  ) throws -> [Bool] {
    let width = features.count / count
    try call.spend(Double(width + Self.bytesPerFeature) * Double(count) * Double(seeds.count) * Self.workPerByte)
    let featuresPerLook = max(1, Self.bytesPerLook / (width + Self.bytesPerFeature))
    var key = [UInt8](repeating: 0, count: 4 + width)
    return try key.withUnsafeMutableBytes { key in
      try features.withUnsafeBytes { features in
        try seeds.map { seed in
          key.storeBytes(of: seed.bitPattern.littleEndian, as: UInt32.self)
          var sum = 0.0
          for feature in 0..<count {
            if feature % featuresPerLook == 0 { try call.check() }
            UnsafeMutableRawBufferPointer(rebasing: key[4...]).copyMemory(
              from: UnsafeRawBufferPointer(rebasing: features[feature * width..<(feature + 1) * width]))
            sum += Double(weight(feature)) * Double(Int64(bitPattern: Fingerprint.of(UnsafeRawBufferPointer(key))))
          }
          return sum > 0
        }
      }
    }
  }
}

/// KmeansEmbeddingLookup: the mean of the embeddings of some token IDs, each assembled from blocks of a codebook.
///
/// The IDs end at the first 0. If there are none, the mean is zero.
///
/// - Shapes: IDs `[1, n]`; encodings `[numbers, blocks]`; codebook `[codes, size]`; output `[1, blocks · size]`.
/// - Types: IDs int32; encodings uint8; codebook and output float32.
/// - Throws: An error in a run if an ID or a code is outside its table.
/// - Source: the MediaPipe operator of this name.
struct KmeansEmbeddingLookupOperator: Operator {
  static var identity: OperatorIdentity {
    OperatorIdentity(
      .custom("KmeansEmbeddingLookup"), versions: 1...1, floatError: 1e-6,
      types: .one(.int32, .uint8, .float32, to: .float32))
  }

  init(parsing node: NodeReader) throws { try node.require(inputs: 3...3) }

  func inferShapes(_ node: NodeView) throws -> [Shape] {
    let (numbers, encodings, codebook) = (try node.input(0), try node.input(1), try node.input(2))
    guard numbers.shape.rank == 2, numbers.shape[0] == 1, encodings.shape.rank == 2, codebook.shape.rank == 2 else {
      throw node.invalid(
        "takes numbers [1, n], encodings and a codebook of rank 2, got \(numbers), \(encodings) and \(codebook)")
    }
    let (width, isTooWide) = encodings.shape[1].multipliedReportingOverflow(by: codebook.shape[1])
    guard !isTooWide else {
      throw node.invalid("returns more numbers than can come from \(encodings) and \(codebook)")
    }
    return [[1, width]]
  }

  func prepare(_ context: PrepareContext) throws -> PreparedOperator {
    let node = context.node
    guard try node.output(0).shape.elementCount > 0 else { return .empty }
    let count = try node.input(0).shape[1]
    let (rows, blocks) = (try node.input(1).shape[0], try node.input(1).shape[1])
    let (codes, size) = (try node.input(2).shape[0], try node.input(2).shape[1])
    let (numbers, encodings, codebook) = (
      try context.inputSlot(0), try context.inputSlot(1), try context.inputSlot(2)
    )
    let destination = try context.outputSlot(0)
    let location = node.node.location
    return PreparedOperator(items: blocks, cost: Double(count) * (Double(size) + 5) + 5) { run, items in
      let numbers = run.pointer(numbers, as: Int32.self)
      let encodings = run.pointer(encodings, as: UInt8.self)
      let codebook = run.pointer(codebook, as: Float.self)
      for block in items {
        let to = run.pointer(destination, as: Float.self) + block &* size
        for index in 0..<size { to[index] = 0 }
        var found = 0
        while found < count, numbers[found] != 0 {
          let number = Int(numbers[found])
          guard number > 0, number < rows else {
            throw RuntimeError.index(number, position: found, size: rows, at: location)
          }
          let code = Int(encodings[number &* blocks &+ block])
          guard code < codes else { throw RuntimeError.index(code, position: found, size: codes, at: location) }
          let from = codebook + code &* size
          for index in 0..<size { to[index] += from[index] }
          found &+= 1
        }
        let divisor = Float(max(found, 1))
        for index in 0..<size { to[index] /= divisor }
      }
    }
  }
}
