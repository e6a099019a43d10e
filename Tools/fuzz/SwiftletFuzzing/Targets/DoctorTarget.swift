import SwiftletBase
import SwiftletDiagnosis
import SwiftletEngine
import SwiftletSchema

extension FuzzTarget {
  /// Diagnoses a model alone, with itself as the reference, and with another model as the reference or the quantized
  /// model.
  package static let doctor = FuzzTarget("doctor", seeds: { SeedModels.all }) { bytes in
    let options = FuzzOptions()
    guard bytes.count <= options.maximumFile, let file = ReadOnlyBytes(bytes),
      let model = try? Model(file.region)
    else { return }
    var random = FuzzRandom(seed: bytes.seed)
    let seeds = SeedModels.all
    guard let other = try? Model(bytes: seeds[random.below(seeds.count)]) else { return }
    let runtime = options.runtime(threads: random.oneIn(3) ? 2 : 1, numerics: .fast)
    let inputs = random.oneIn(4) ? [] : (0..<2).compactMap { _ in numbers(for: model, &random) }
    // An error is a valid result.
    _ = try? ModelDiagnosis(of: model, inputs: inputs, areTypical: random.oneIn(2), options: runtime)
    _ = try? ModelDiagnosis(of: model, reference: random.oneIn(2) ? model : other, inputs: inputs, options: runtime)
    _ = try? ModelDiagnosis(of: other, reference: model, inputs: [], options: runtime)
  }

  /// Returns random numbers for the inputs of a model; `nil` if an input is too large to be worth the time.
  private static func numbers(for model: Model, _ random: inout FuzzRandom) -> [Tensor]? {
    guard let graph = model.file.subgraphs.first else { return nil }
    var tensors: [Tensor] = []
    for input in graph.inputs {
      let shape = Shape(graph.tensors[input].shape)
      guard shape.dimensions.allSatisfy({ $0 >= 0 && $0 < 1 << 12 }), shape.elementCount < 1 << 14 else { return nil }
      let scale: Float = random.oneIn(8) ? .infinity : random.oneIn(4) ? 1e30 : 1
      let values = (0..<shape.elementCount).map { _ in scale * (Float(random.below(2001)) / 1000 - 1) }
      guard let tensor = try? Tensor(values, shape: shape) else { return nil }
      tensors.append(tensor)
    }
    return tensors
  }
}
