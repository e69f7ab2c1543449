"""A group of commands of click."""

import click


@click.group()
def cli():
    """Greetings."""


@cli.command()
@click.option("--name", default="you")
@click.option("--count", type=int, default=1)
@click.option("--shout", is_flag=True)
def hello(name, count, shout):
    """Greet somebody."""
    if count < 1:
        raise click.BadParameter("must be positive", param_hint="--count")
    text = f"hello {name}"
    for _ in range(count):
        click.echo(text.upper() if shout else text)


@cli.command()
@click.argument("number", type=int)
def double(number):
    """Print twice the number."""
    if number == 0:
        click.echo("nothing to double", err=True)
        raise SystemExit(3)
    click.echo(2 * number)


if __name__ == "__main__":
    cli()
