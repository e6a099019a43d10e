package import SwiftletJSON

/// The content of the page about a model, as plain values. Texts can contain any characters.
package struct ModelDescription: Sendable {
  /// The name of the file, without its directory.
  package var name: String
  package var byteCount: Int
  package var schemaVersion: Int
  package var description: String?
  /// Whether Swiftlet can run the model.
  package var isSupported: Bool
  /// The reason why the model cannot run, unless an operator is the cause.
  package var problem: String?
  package var unsupported: [UnsupportedOperator] = []
  /// The size of the constants in bytes, with each buffer counted once.
  package var constantByteCount: Int
  /// The size in bytes of the constants packed for the kernels, or `nil` for a model that cannot run.
  package var packedByteCount: Int?
  package var subgraphs: [Graph] = []
  package var signatures: [EntryPoint] = []
  /// The model's metadata, as in `inspect --json`.
  package var metadata: JSONValue = .null
  package var labels: [String] = []
  package var arena: Arena?

  package struct UnsupportedOperator: Sendable, Hashable {
    package var subgraph: Int
    package var index: Int
    package var name: String
    package var version: Int
    package var reason: String

    package init(subgraph: Int, index: Int, name: String, version: Int, reason: String) {
      self.subgraph = subgraph
      self.index = index
      self.name = name
      self.version = version
      self.reason = reason
    }
  }

  package init(name: String, byteCount: Int, schemaVersion: Int, isSupported: Bool, constantByteCount: Int) {
    self.name = name
    self.byteCount = byteCount
    self.schemaVersion = schemaVersion
    self.isSupported = isSupported
    self.constantByteCount = constantByteCount
  }
}

extension ModelDescription {
  /// The memory layout of a run: the location and lifetime of every tensor.
  package struct Arena: Sendable {
    package var byteCount: Int
    /// The operators of a run in order, after fusion and constant folding.
    package var operators: [Entry]
    package var blocks: [Block]
    /// The number of operators whose shapes are known only during a run, and whose memory is planned then.
    package var deferredCount: Int

    /// An operator of a run: its subgraph, and its index in the subgraph.
    package struct Entry: Sendable, Hashable {
      package var subgraph: Int
      package var index: Int
      package var name: String

      package init(subgraph: Int, index: Int, name: String) {
        self.subgraph = subgraph
        self.index = index
        self.name = name
      }
    }

    package struct Block: Sendable, Hashable {
      package var offset: Int
      package var byteCount: Int
      /// Indices in `operators`: the first and the last during which the contents are needed.
      package var first: Int
      package var last: Int
      /// The indices of the main graph's tensors that share the block; empty for an operator's scratch memory.
      package var tensors: [Int]
      /// The names of its other contents: values of inlined subgraphs.
      package var names: [String]

      package init(offset: Int, byteCount: Int, first: Int, last: Int, tensors: [Int], names: [String] = []) {
        self.offset = offset
        self.byteCount = byteCount
        self.first = first
        self.last = last
        self.tensors = tensors
        self.names = names
      }
    }

    package init(byteCount: Int, operators: [Entry], blocks: [Block], deferredCount: Int) {
      self.byteCount = byteCount
      self.operators = operators
      self.blocks = blocks
      self.deferredCount = deferredCount
    }

    /// The number of bytes in use during each operator.
    package var liveBytes: [Int] {
      var changes = [Int](repeating: 0, count: operators.count + 1)
      for block in blocks
      where operators.indices.contains(block.first) && block.last >= block.first && block.last < operators.count {
        changes[block.first] += block.byteCount
        changes[block.last + 1] -= block.byteCount
      }
      var live = 0
      return operators.indices.map {
        live += changes[$0]
        return live
      }
    }
  }
}

extension ModelDescription {
  /// One graph of a model.
  package struct Graph: Sendable {
    package var name: String
    package var tensors: [Tensor]
    package var operators: [Operator]
    /// Indices in `tensors`.
    package var inputs: [Int]
    package var outputs: [Int]

    package init(name: String, tensors: [Tensor], operators: [Operator], inputs: [Int], outputs: [Int]) {
      self.name = name
      self.tensors = tensors
      self.operators = operators
      self.inputs = inputs
      self.outputs = outputs
    }
  }

  /// One operator of a graph.
  package struct Operator: Sendable {
    /// `CONV_2D`, or a custom operator's own name.
    package var name: String
    package var isCustom: Bool
    package var version: Int
    /// Indices in `tensors`; `nil` for an omitted optional input.
    package var inputs: [Int?]
    package var outputs: [Int]
    /// The names and values, in schema order.
    package var options: [Option]
    /// The subgraphs that the operator runs.
    package var callees: [Int] = []
    /// A short summary of its options: window, stride, activation.
    package var summary = ""
    /// The implementation, such as `indirect GEMM int8 3×3, avx512`; empty if the operator isn't computed on its own.
    package var implementation = ""

    package struct Option: Sendable, Hashable {
      package var name: String
      package var value: String

      package init(name: String, value: String) {
        self.name = name
        self.value = value
      }
    }

    package init(
      name: String, isCustom: Bool = false, version: Int, inputs: [Int?], outputs: [Int], options: [Option] = []
    ) {
      self.name = name
      self.isCustom = isCustom
      self.version = version
      self.inputs = inputs
      self.outputs = outputs
      self.options = options
    }
  }

  /// A signature of the model.
  package struct EntryPoint: Sendable {
    package var key: String
    package var subgraph: Int
    /// The names, with indices in the subgraph's tensors.
    package var inputs: [Port]
    package var outputs: [Port]

    package struct Port: Sendable {
      package var name: String
      package var tensor: Int

      package init(name: String, tensor: Int) {
        self.name = name
        self.tensor = tensor
      }
    }

    package init(key: String, subgraph: Int, inputs: [Port], outputs: [Port]) {
      self.key = key
      self.subgraph = subgraph
      self.inputs = inputs
      self.outputs = outputs
    }
  }
}

extension ModelDescription {
  /// One tensor of a graph: its description without its contents.
  package struct Tensor: Sendable {
    package enum Role: String, Sendable {
      case computed, constant, variable
    }

    package var name: String
    /// The element type: `float32`.
    package var type: String
    package var shape: [Int]
    /// The shape with -1 for dynamic dimensions, if there are any.
    package var signature: [Int]?
    package var role: Role
    /// The size in bytes of a tensor of this shape, or the stored size of a constant; `nil` for types without a fixed
    /// size.
    package var byteCount: Int?
    package var quantization: Quantization?
    /// The values of a small constant.
    package var values: String?
    /// Further information, such as the storage of a sparse constant.
    package var note: String?

    /// `real = scale × (stored - zero point)`, summarized if there is a scale per channel.
    package struct Quantization: Sendable, Hashable {
      package var channelCount: Int
      package var axis: Int
      package var smallestScale: Float
      package var medianScale: Float
      package var largestScale: Float
      package var smallestZeroPoint: Int
      package var largestZeroPoint: Int

      package init(
        channelCount: Int, axis: Int, smallestScale: Float, medianScale: Float, largestScale: Float,
        smallestZeroPoint: Int,
        largestZeroPoint: Int
      ) {
        self.channelCount = channelCount
        self.axis = axis
        self.smallestScale = smallestScale
        self.medianScale = medianScale
        self.largestScale = largestScale
        self.smallestZeroPoint = smallestZeroPoint
        self.largestZeroPoint = largestZeroPoint
      }

      /// Creates a summary of quantization parameters.
      ///
      /// - Parameters:
      ///   - scales: The scales: at least one, and as many as zero points.
      package init?(scales: [Float], zeroPoints: [Int], axis: Int) {
        let sorted = scales.sorted()
        guard let smallest = sorted.first, let largest = sorted.last else { return nil }
        self.init(
          channelCount: scales.count, axis: axis, smallestScale: smallest, medianScale: sorted[sorted.count / 2],
          largestScale: largest,
          smallestZeroPoint: zeroPoints.min() ?? 0, largestZeroPoint: zeroPoints.max() ?? 0)
      }
    }

    package init(name: String, type: String, shape: [Int], role: Role = .computed, byteCount: Int? = nil) {
      self.name = name
      self.type = type
      self.shape = shape
      self.role = role
      self.byteCount = byteCount
    }
  }
}

/// The content of the page about a bundle, as plain values. Texts can contain any characters.
package struct BundleDescription: Sendable {
  /// The name of the file, without its directory.
  package var name: String
  package var members: [Member]
  /// The models among the members, in the members' order; at least one.
  package var models: [ModelDescription]

  package struct Member: Sendable, Hashable {
    /// The name, with the names of the enclosing bundles.
    package var name: String
    package var byteCount: Int
    package var kind: String
    /// Its index among the models.
    package var model: Int?
    /// The reason why the member cannot be read.
    package var problem: String?

    package init(name: String, byteCount: Int, kind: String) {
      self.name = name
      self.byteCount = byteCount
      self.kind = kind
    }
  }

  package init(name: String, members: [Member], models: [ModelDescription]) {
    self.name = name
    self.members = members
    self.models = models
  }
}
