package import SwiftletJSON

/// Everything that the page about a model shows, as plain values. Text may hold anything.
package struct ModelDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var byteCount: Int
  package var schemaVersion: Int
  package var description: String?
  /// Whether this engine can run the model.
  package var isSupported: Bool
  /// Why it cannot, where that is not an operator's fault.
  package var problem: String?
  package var unsupported: [UnsupportedOperator] = []
  /// Bytes of the constants, each buffer counted once.
  package var constantByteCount: Int
  /// Bytes of constants in the order that the kernels read; `nil` for a model that cannot be run.
  package var packedByteCount: Int?
  package var subgraphs: [Graph] = []
  package var signatures: [EntryPoint] = []
  /// The model's metadata, as `inspect --json` gives it.
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
  /// Which tensor lies where in the memory of a run, and when.
  package struct Arena: Sendable {
    package var byteCount: Int
    /// The operators of a run, in order, as they are left after fusing and computing ahead.
    package var operators: [Entry]
    package var blocks: [Block]
    /// Operators whose shapes only a run can tell, which are planned then.
    package var deferredCount: Int

    /// An operator of a run: its subgraph and its position there.
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
      /// Positions in `operators`: the first and the last during which the contents matter.
      package var first: Int
      package var last: Int
      /// The tensors of the main graph that share it, by position; empty for an operator's own working memory.
      package var tensors: [Int]
      /// What else it holds: values of inlined subgraphs.
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

    /// The bytes that are in use during each operator.
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
    /// Positions in `tensors`.
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
    /// Positions in `tensors`; `nil` where an optional input is left out.
    package var inputs: [Int?]
    package var outputs: [Int]
    /// Names and values, in the order of the schema.
    package var options: [Option]
    /// The subgraphs it runs.
    package var callees: [Int] = []
    /// A few words about how it works: window, stride, activation.
    package var summary = ""
    /// How the engine computes it, `indirect GEMM int8 3×3, avx512`; empty where it does not compute it by itself.
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

  /// An entry point by name.
  package struct EntryPoint: Sendable {
    package var key: String
    package var subgraph: Int
    /// Names, and positions in the subgraph's tensors.
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
  /// One tensor of a graph: what it is, not what it holds.
  package struct Tensor: Sendable {
    package enum Role: String, Sendable {
      case computed, constant, variable
    }

    package var name: String
    /// `float32`.
    package var type: String
    package var shape: [Int]
    /// The shape with -1 for sizes that only a run knows, where there are any.
    package var signature: [Int]?
    package var role: Role
    /// The bytes of a tensor of this shape, or those stored for a constant; `nil` for types without a fixed size.
    package var byteCount: Int?
    package var quantization: Quantization?
    /// The values of a constant of few numbers.
    package var values: String?
    /// What else there is to know, such as how a sparse constant is stored.
    package var note: String?

    /// `real = scale × (stored - zero point)`, summarized where every channel has a scale of its own.
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

      /// - Parameters:
      ///   - scales: at least one; as many as zero points.
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

/// What the page about a bundle shows, as plain values. Text may hold anything.
package struct BundleDescription: Sendable {
  /// The name of the file, without its folder.
  package var name: String
  package var members: [Member]
  /// The models among the members, in their order; at least one.
  package var models: [ModelDescription]

  package struct Member: Sendable, Hashable {
    /// With the names of the bundles that it is in.
    package var name: String
    package var byteCount: Int
    package var kind: String
    /// Its place among the models.
    package var model: Int?
    /// Why it cannot be read.
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
