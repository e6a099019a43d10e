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
