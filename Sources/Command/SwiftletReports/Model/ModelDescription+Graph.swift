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
