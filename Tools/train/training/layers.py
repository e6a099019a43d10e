"""The building blocks of the networks: convolutions that are folded into one operator each."""
import tensorflow as tf

layers = tf.keras.layers


class Normalization(layers.Layer):
    """Batch normalization with TensorFlow's fused operator, which takes a third of the time of Keras's own layer on a CPU."""

    MOMENTUM, EPSILON = 0.95, 1e-3

    def build(self, shape):
        size = (shape[-1],)
        self.gain = self.add_weight(shape=size, initializer='ones', name='gain')
        self.shift = self.add_weight(shape=size, initializer='zeros', name='shift')
        self.mean = self.add_weight(shape=size, initializer='zeros', trainable=False, name='mean')
        self.variance = self.add_weight(shape=size, initializer='ones', trainable=False, name='variance')

    def call(self, x, training=False):
        if not training:
            return self.fused(x, is_training=False, mean=self.mean, variance=self.variance)[0]
        y, mean, variance = self.fused(x, is_training=True)
        self.mean.assign(self.mean * self.MOMENTUM + mean * (1 - self.MOMENTUM))
        self.variance.assign(self.variance * self.MOMENTUM + variance * (1 - self.MOMENTUM))
        return y

    def fused(self, x, **how):
        return tf.compat.v1.nn.fused_batch_norm(x, self.gain, self.shift, epsilon=self.EPSILON, **how)


def convolution(x, filters: int, size: int = 3, stride: int = 1, relu: bool = True):
    """Convolution, batch normalization (folded into it by the converter) and ReLU."""
    x = layers.Conv2D(filters, size, stride, padding='same', use_bias=False, kernel_initializer='he_normal')(x)
    x = Normalization()(x)
    return layers.ReLU()(x) if relu else x


def row_convolution(x, filters: int, size: int, stride: int = 1):
    """A convolution along the single row of an audio clip's samples, batch normalization, and ReLU."""
    x = layers.Conv2D(filters, (1, size), (1, stride), padding='same', use_bias=False, kernel_initializer='he_normal')(x)
    return layers.ReLU()(Normalization()(x))


def separable(x, filters: int, stride: int = 1, size: int = 5):
    """A depthwise and a pointwise convolution, with a residual connection if the shape stays the same."""
    y = layers.DepthwiseConv2D(size, stride, padding='same', use_bias=False)(x)
    y = Normalization()(y)
    y = convolution(y, filters, 1, relu=False)
    if stride == 1 and x.shape[-1] == filters:
        y = layers.Add()([x, y])
    return layers.ReLU()(y)


def residual(x):
    """Two full convolutions with a residual connection."""
    filters = x.shape[-1]
    y = convolution(convolution(x, filters), filters, relu=False)
    return layers.ReLU()(layers.Add()([x, y]))


def head(x, channels: int, size: int = 1, bias: float = 0.0):
    """The last convolution before an output: linear, with a bias whose initial value can be nonzero."""
    return layers.Conv2D(channels, size, padding='same', bias_initializer=tf.keras.initializers.Constant(bias),
                         kernel_initializer=tf.keras.initializers.RandomNormal(stddev=0.01))(x)


def image(side: int):
    """The input: RGB in -1…1."""
    return layers.Input((side, side, 3), name='image')
