/// What an operator can do for its neighbours in a graph, and they for it.
///
/// Passes read it to make one node of two. Operators do not spell it out: it follows from the protocols of this folder
/// that they conform to.
package struct Fusion: Sendable {
  /// What the operator can take over, each case more than the one before.
  fileprivate enum Host {
    case activation(any FusesActivation)
    case product(any TakesEpilogue)
    case convolution(any FusingConvolution)
    case reduction(any SquaringReduction)
  }

  /// What another operator can take over.
  fileprivate enum Guest {
    case activation(any ActivationOperator)
    case padding(any PaddingOperator)
    case quantizedClamp(any QuantizedClampOperator)
    case epilogueStep(any EpilogueOperator)
  }

  private var host: Host?
  private var guest: Guest?

  /// Of an operator that stays a node of its own.
  package init() {}

  fileprivate init(_ host: Host?, _ guest: Guest? = nil) {
    self.host = host
    self.guest = guest
  }

  // MARK: What it can take over

  package var fusingActivation: (any FusesActivation)? {
    switch host {
    case .activation(let operation): operation
    case .product(let operation): operation
    case .convolution(let operation): operation
    case .reduction, nil: nil
    }
  }

  package var takingEpilogue: (any TakesEpilogue)? {
    switch host {
    case .product(let operation): operation
    case .convolution(let operation): operation
    case .activation, .reduction, nil: nil
    }
  }

  package var convolution: (any FusingConvolution)? {
    if case .convolution(let operation) = host { operation } else { nil }
  }

  package var squaring: (any SquaringReduction)? {
    if case .reduction(let operation) = host { operation } else { nil }
  }

  // MARK: What can be taken over of it

  package var activation: (any ActivationOperator)? {
    if case .activation(let operation) = guest { operation } else { nil }
  }

  package var padding: (any PaddingOperator)? {
    if case .padding(let operation) = guest { operation } else { nil }
  }

  package var quantizedClamp: (any QuantizedClampOperator)? {
    if case .quantizedClamp(let operation) = guest { operation } else { nil }
  }

  package var epilogueOperator: (any EpilogueOperator)? {
    if case .epilogueStep(let operation) = guest { operation } else { nil }
  }
}

extension FusesActivation {
  package var fusion: Fusion { Fusion(.activation(self)) }
}

extension TakesEpilogue {
  package var fusion: Fusion { Fusion(.product(self)) }
}

extension FusingConvolution {
  package var fusion: Fusion { Fusion(.convolution(self)) }
}

extension SquaringReduction {
  package var fusion: Fusion { Fusion(.reduction(self)) }
}

extension ActivationOperator {
  package var fusion: Fusion { Fusion(nil, .activation(self)) }
}

extension PaddingOperator {
  package var fusion: Fusion { Fusion(nil, .padding(self)) }
}

extension QuantizedClampOperator {
  package var fusion: Fusion { Fusion(nil, .quantizedClamp(self)) }
}

extension EpilogueOperator {
  package var fusion: Fusion { Fusion(nil, .epilogueStep(self)) }
}

extension FusesActivation where Self: QuantizedClampOperator {
  package var fusion: Fusion { Fusion(.activation(self), .quantizedClamp(self)) }
}

extension FusesActivation where Self: EpilogueOperator {
  package var fusion: Fusion { Fusion(.activation(self), .epilogueStep(self)) }
}
