/// The description of a set of golden tensors: the models, the inputs, and the reference outputs.
///
/// Manifests have two producers: the script that runs published models, and `Tools/golden`, whose generated models are
/// packed in one file (`model_file`, `model_offset`, `model_bytes`). The format version is 1.
package struct GoldenManifest: Sendable, Codable {
  /// The only supported format version.
  package static let supportedFormat = 1

  package var format: Int
  package var seed: Int?
  package var byteOrder: String?
  /// The names and versions of the programs that generated the tensors.
  package var generator: [String: String]
  package var models: [GoldenModel]
  package var skipped: [SkippedModel]

  /// A model or combination that the reference did not run, with the reason.
  package struct SkippedModel: Sendable, Codable {
    package var model: String
    package var reason: String
  }

  private enum CodingKeys: String, CodingKey {
    case format, seed
    case byteOrder = "byte_order"
    case generator, models, skipped
  }

  /// Returns the generated models that test an operator, given its schema name.
  package func models(forOperator name: String) -> [GoldenModel] {
    models.filter { $0.operatorName == name }
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    format = try container.decode(Int.self, forKey: .format)
    seed = try container.decodeIfPresent(Int.self, forKey: .seed)
    byteOrder = try container.decodeIfPresent(String.self, forKey: .byteOrder)
    generator = try container.decodeIfPresent([String: String].self, forKey: .generator) ?? [:]
    models = try container.decode([GoldenModel].self, forKey: .models)
    skipped = try container.decodeIfPresent([SkippedModel].self, forKey: .skipped) ?? []
  }
}

/// One model and the cases it was run on.
package struct GoldenModel: Sendable, Codable {
  /// The path in the models directory, or only a name if the bytes are packed.
  package var model: String
  package var sha256: String?
  /// `builtin_ref`, or `builtin` if the reference kernels lack the operator or version. Manifests of generated models
  /// omit `builtin_ref`.
  package var reference: String?
  package var rewrittenOps: [String]
  package var cases: [GoldenCase]
  /// The reason why the reference kernels were not used, in a manifest of generated models.
  package var referenceRefusal: String?

  /// The file next to the manifest that contains a packed model; `models.bin` by default.
  package var modelFile: String?
  package var modelOffset: Int?
  package var modelBytes: Int?

  /// The schema name of the operator that a generated model tests: `CONV_2D`.
  package var operatorName: String?
  /// `float`, `hybrid`, or `integer`; `nil` if the manifest doesn't specify it.
  package var arithmetic: String?
  /// True if the cases are steps of one session that keeps its variables from case to case.
  package var isStateful: Bool
  /// The signature that the cases run, or `nil` for the main graph.
  package var signature: String?

  private enum CodingKeys: String, CodingKey {
    case model, sha256, reference
    case referenceRefusal = "reference_refusal"
    case rewrittenOps = "rewritten_ops"
    case cases
    case modelFile = "model_file"
    case modelOffset = "model_offset"
    case modelBytes = "model_bytes"
    case operatorName = "operator"
    case arithmetic
    case isStateful = "stateful"
    case signature
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    model = try container.decode(String.self, forKey: .model)
    sha256 = try container.decodeIfPresent(String.self, forKey: .sha256)
    reference = try container.decodeIfPresent(String.self, forKey: .reference)
    referenceRefusal = try container.decodeIfPresent(String.self, forKey: .referenceRefusal)
    rewrittenOps = try container.decodeIfPresent([String].self, forKey: .rewrittenOps) ?? []
    cases = try container.decode([GoldenCase].self, forKey: .cases)
    modelOffset = try container.decodeIfPresent(Int.self, forKey: .modelOffset)
    let file = try container.decodeIfPresent(String.self, forKey: .modelFile)
    modelFile = file ?? (modelOffset == nil ? nil : "models.bin")
    modelBytes = try container.decodeIfPresent(Int.self, forKey: .modelBytes)
    operatorName = try container.decodeIfPresent(String.self, forKey: .operatorName)
    arithmetic = try container.decodeIfPresent(String.self, forKey: .arithmetic)
    isStateful = try container.decodeIfPresent(Bool.self, forKey: .isStateful) ?? false
    signature = try container.decodeIfPresent(String.self, forKey: .signature)
  }
}

/// One set of inputs with the reference outputs.
package struct GoldenCase: Sendable, Codable {
  package var name: String
  /// The image that the inputs were made from, or `nil`.
  package var image: String?
  package var inputs: [GoldenInput]
  package var outputs: [GoldenOutput]
}

/// The scales and zero points of a tensor; empty if the tensor isn't quantized.
package struct GoldenQuantization: Sendable, Codable, Equatable {
  package var scales: [Double]
  package var zeroPoints: [Int]
  package var axis: Int

  private enum CodingKeys: String, CodingKey {
    case scales
    case zeroPoints = "zero_points"
    case axis
  }

  package init(scales: [Double] = [], zeroPoints: [Int] = [], axis: Int = 0) {
    self.scales = scales
    self.zeroPoints = zeroPoints
    self.axis = axis
  }
}

/// The location of a tensor's bytes, relative to the manifest's directory.
package struct GoldenLocation: Sendable, Equatable {
  package var file: String
  package var offset: Int
  package var byteCount: Int

  /// The default file of generated tensors.
  package static let packedTensors = "tensors.bin"
}

/// An input of a case.
package struct GoldenInput: Sendable, Codable {
  package var index: Int
  package var name: String
  package var dtype: String
  package var shape: [Int]
  package var quantization: GoldenQuantization?
  /// `raw` (the default if absent), or `uint8` for a float tensor stored as bytes.
  package var storage: String?
  package var mean: Double?
  package var std: Double?
  /// The file of the tensor; the default file of packed tensors if absent.
  package var file: String?
  package var offset: Int
  package var bytes: Int

  package var location: GoldenLocation {
    GoldenLocation(file: file ?? GoldenLocation.packedTensors, offset: offset, byteCount: bytes)
  }
}

/// An output of a case: every reference element, or every `sampleStride`-th.
package struct GoldenOutput: Sendable, Codable {
  package var index: Int
  package var name: String
  package var dtype: String
  package var shape: [Int]
  package var quantization: GoldenQuantization?
  package var storage: String?
  package var sampleStride: Int?
  package var elements: Int?
  package var min: Double?
  package var max: Double?
  package var mean: Double?
  /// The largest difference between the XNNPACK run and the reference, or `nil` if the XNNPACK run failed.
  package var xnnpackMaxAbsDiff: Double?
  /// The number of integer elements that differ between the two runs.
  package var xnnpackMismatches: Int?
  /// The file of the tensor; the default file of packed tensors if absent.
  package var file: String?
  package var offset: Int
  package var bytes: Int

  package init(
    index: Int, name: String, dtype: String, shape: [Int], quantization: GoldenQuantization? = nil,
    xnnpackMaxAbsDiff: Double? = nil, xnnpackMismatches: Int? = nil, file: String, offset: Int, bytes: Int
  ) {
    self.index = index
    self.name = name
    self.dtype = dtype
    self.shape = shape
    self.quantization = quantization
    self.xnnpackMaxAbsDiff = xnnpackMaxAbsDiff
    self.xnnpackMismatches = xnnpackMismatches
    self.file = file
    self.offset = offset
    self.bytes = bytes
  }

  private enum CodingKeys: String, CodingKey {
    case index, name, dtype, shape, quantization, storage
    case sampleStride = "sample_stride"
    case elements, min, max, mean
    case xnnpackMaxAbsDiff = "xnnpack_max_abs_diff"
    case xnnpackMismatches = "xnnpack_mismatches"
    case file, offset, bytes
  }

  package var location: GoldenLocation {
    GoldenLocation(file: file ?? GoldenLocation.packedTensors, offset: offset, byteCount: bytes)
  }
}
